import { beforeAll, describe, expect, test, vi } from 'vitest'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { actAtCheckout, order, sendCallbacks, showOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPackage } from '../../test/edge/worker/shop.ts'
import type { Deps } from '../deps.ts'
import { pollOrders } from './poll.ts'

const MINUTE_MS = 60_000
const testContext = makeTestContext({ SMTP_HOST: undefined })

let pack: { id: number }
beforeAll(async () => {
  pack = await listPackage(testContext, { price_cents: 1000 })
})

async function openOrder(provider = 'sandbox_card') {
  const person = await register(testContext)
  return { person, id: await order(testContext, person, { package_id: pack.id, provider }) }
}

/** Returns the services at a later time, with only this order due for polling. */
async function later(ms: number, id: string): Promise<Deps> {
  const { db } = testContext.deps
  await db.$client.execute({ sql: 'UPDATE orders SET next_poll_at = NULL WHERE id <> ?', args: [id] })
  const now = Date.now() + ms
  return depsAt(testContext, { now: () => now })
}

async function rowOf(id: string) {
  const { rows } = await testContext.deps.db.$client.execute({
    sql: 'SELECT status, polls, next_poll_at FROM orders WHERE id = ?',
    args: [id],
  })
  return rows[0]
}

async function purchasesOf({ id }: Person): Promise<number> {
  const { rows } = await testContext.deps.db.$client.execute({
    sql: "SELECT count(*) AS total FROM ledger WHERE account_id = ? AND entry_type = 'purchase'",
    args: [id],
  })
  return Number(rows[0]?.total)
}

describe('an order without provider events', () => {
  test.each(['sandbox_card', 'sandbox_crypto'])(
    'is found paid by polling %s, once, even when polled concurrently',
    async (provider) => {
      const { person, id } = await openOrder(provider)
      const callbacks = await actAtCheckout(id, 'pay')
      const deps = await later(2 * MINUTE_MS, id)
      await Promise.all([pollOrders(deps), pollOrders(deps), pollOrders(deps)])
      expect(await rowOf(id)).toMatchObject({ status: 'paid', next_poll_at: null })
      await sendCallbacks(testContext, callbacks)
      expect(await purchasesOf(person)).toBe(1)
      expect(await showOrder(testContext, person, id)).toMatchObject({
        status: 'paid',
        actually_paid_cents: 1000,
      })
    },
  )

  test('is polled at growing intervals', async () => {
    const { id } = await openOrder()
    const first = Number((await rowOf(id))?.next_poll_at)
    const deps = await later(0, id)
    await pollOrders(deps)
    expect(await rowOf(id)).toMatchObject({ polls: 0, next_poll_at: first })
    for (const [minutes, polls] of [
      [2, 1],
      [10, 2],
      [30, 3],
    ] as const) {
      const at = await later(minutes * MINUTE_MS, id)
      await pollOrders(at)
      const row = await rowOf(id)
      expect(row).toMatchObject({ status: 'waiting', polls })
      expect(Number(row?.next_poll_at) - at.clock.now()).toBe(MINUTE_MS * 2 ** (polls - 1))
    }
  })

  test('is no longer polled after seven days, and a later payment still counts', async () => {
    const { person, id } = await openOrder()
    await pollOrders(await later(7 * DAY_MS - 10 * MINUTE_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'waiting' })
    await pollOrders(await later(8 * DAY_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'expired', next_poll_at: null })
    await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
    expect(await showOrder(testContext, person, id)).toMatchObject({ status: 'paid' })
  })

  test('expires when the provider says so', async () => {
    const { id } = await openOrder()
    await actAtCheckout(id, 'expire')
    await pollOrders(await later(2 * MINUTE_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'expired', next_poll_at: null })
  })

  test('that is partially paid is polled until resolved, for at most seven days', async () => {
    const { id } = await openOrder('sandbox_crypto')
    await sendCallbacks(testContext, await actAtCheckout(id, 'underpay', 40))
    await pollOrders(await later(2 * MINUTE_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'partially_paid', polls: 1 })
    await pollOrders(await later(8 * DAY_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'partially_paid', next_poll_at: null })
  })

  test('whose poll fails is polled again later, and the task reports the failure', async () => {
    const { id } = await openOrder()
    const deps = await later(2 * MINUTE_MS, id)
    const broken = deps.payments.map((provider) => ({
      ...provider,
      findPayment: vi.fn().mockRejectedValue(new Error('no answer')),
    }))
    await expect(pollOrders({ ...deps, payments: broken })).rejects.toThrow('no answer')
    expect(await rowOf(id)).toMatchObject({ status: 'waiting', polls: 1 })
  })

  test('whose checkout was never opened expires, because nobody can pay it', async () => {
    const { id } = await openOrder()
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE orders SET provider_reference = NULL, redirect_url = NULL WHERE id = ?',
      args: [id],
    })
    await pollOrders(await later(5 * MINUTE_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'waiting' })
    await pollOrders(await later(20 * MINUTE_MS, id))
    expect(await rowOf(id)).toMatchObject({ status: 'expired', next_poll_at: null })
  })

  test('expires also when its rail was removed', async () => {
    const { id } = await openOrder()
    const deps = await later(8 * DAY_MS, id)
    await pollOrders({ ...deps, payments: [] })
    expect(await rowOf(id)).toMatchObject({ status: 'expired' })
  })
})
