/** @module-tag extended */

import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  buy,
  decideRefund,
  sendCallback,
  sendCallbacks,
  showSandboxOrder,
} from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
import {
  askRefund,
  buyInCrypto,
  DAILY,
  entriesOf,
  monthsOf,
  passDays,
  quoteOf,
  refund,
  refundsOf,
  settleRefund,
  spend,
  termsOf,
} from '../../test/edge/worker/refunds.ts'
import { DAY_MS, registerAdministrator } from '../../test/edge/worker/shop.ts'

const { buyMonths, makeShop, balanceOf, sold, testContext } = openRefundDesk()
const { call } = testContext

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})

describe('Purchase rule 11: after a multi-month order is refunded', () => {
  test('undelivered months are withdrawn, and the term ends with the current one', async () => {
    const { person, id } = await buyMonths()
    const [first] = await monthsOf(testContext, person)
    const { id: refund_id } = await refund(testContext, person, id)
    const [term] = await termsOf(testContext, person)
    expect(term).toMatchObject({ period_end: first?.ends_at, ended_at: null })
    const months = await monthsOf(testContext, person)
    expect(months.map(({ withdrawn_by }) => withdrawn_by)).toEqual([null, refund_id, refund_id])
    await settleRefund(testContext, id, 'approved')
    const held = (await call('GET', '/api/v1/billing/subscription', { token: person.token })).json
    expect(held).toMatchObject({ months_total: 1, months_granted: 1, next_grant_at: null })
    await passDays(testContext, person, 31)
    expect((await call('GET', '/api/v1/billing/subscription', { token: person.token })).json).toBeNull()
    expect(await balanceOf(person)).toBe(0)
    expect(await entriesOf(testContext, person, id)).toEqual([
      ['subscription', 1000],
      ['adjust', -1000],
    ])
  })

  test('months of a later order move up', async () => {
    const { person, id } = await buyMonths()
    const later = await buy(testContext, person, { plan_id: sold.plan.id })
    await refund(testContext, person, id)
    const months = await monthsOf(testContext, person)
    expect(months[3]?.starts_at).toBe(months[0]?.ends_at)
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: months[3]?.ends_at }])
    await settleRefund(testContext, id, 'rejected')
    const back = await monthsOf(testContext, person)
    expect(back.map(({ starts_at }) => starts_at)).toEqual(
      back.map((_month, index) => Number(back[0]?.starts_at) + index * 30 * DAY_MS),
    )
    expect(await quoteOf(testContext, person, later)).toMatchObject({ credits_returnable: 1000 })
  })

  test('if it fails after a later month began, that one stays and the others follow it', async () => {
    const { person, id } = await buyMonths()
    await buy(testContext, person, { plan_id: sold.plan.id })
    await spend(testContext, person, DAILY + 1000)
    await refund(testContext, person, id)
    await passDays(testContext, person, 31)
    const begun = (await monthsOf(testContext, person))[3]
    await settleRefund(testContext, id, 'rejected')
    const [, second, third, fourth] = await monthsOf(testContext, person)
    expect(fourth).toMatchObject({ starts_at: begun?.starts_at, ends_at: begun?.ends_at })
    expect([second?.starts_at, third?.starts_at]).toEqual([begun?.ends_at, second?.ends_at])
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: third?.ends_at }])
    expect(await balanceOf(person)).toBe(1000)
  })

  test('nothing renews any more: the mandate is ended at its provider', async () => {
    const { person, id } = await buyMonths({ auto_renew: true, accept_recurring: true })
    expect((await showSandboxOrder(id)).mandates).toMatchObject([{ status: 'active' }])
    await refund(testContext, person, id)
    expect(await termsOf(testContext, person)).toMatchObject([
      { renewal_status: 'cancelling', renews_at: null },
    ])
    expect((await showSandboxOrder(id)).mandates).toMatchObject([{ status: 'canceled' }])
  })

  test('if it fails after the term ended, the months return as credits, which can be refunded again', async () => {
    const { person, id } = await buyMonths()
    await spend(testContext, person, DAILY + 1000)
    await refund(testContext, person, id)
    await passDays(testContext, person, 31)
    await settleRefund(testContext, id, 'rejected')
    expect((await entriesOf(testContext, person, id)).slice(1)).toEqual([['adjust', 2000]])
    expect(await balanceOf(person)).toBe(2000)
    const shop = await makeShop({ refund_policy_days: 60 })
    expect(await quoteOf(shop, person, id)).toMatchObject({ credits_returnable: 2000, amount_cents: 2700 })
    const { json } = await askRefund(shop, person, id)
    expect(json).toMatchObject({ amount_cents: 2700, credits_removed: 2000 })
    expect(await balanceOf(person)).toBe(0)
  })
})

describe('concurrently with a change of the term', () => {
  test('a refund and an extension leave consecutive months', async () => {
    const { person, id } = await buyMonths()
    await spend(testContext, person, DAILY + 1000)
    await Promise.all([
      askRefund(testContext, person, id),
      buy(testContext, person, { plan_id: sold.plan.id }),
    ])
    const kept = (await monthsOf(testContext, person)).filter(({ withdrawn_by }) => withdrawn_by === null)
    expect(kept.map(({ number }) => number)).toEqual([1, 4])
    expect(kept[1]?.starts_at).toBe(kept[0]?.ends_at)
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: kept[1]?.ends_at }])
  })

  test('a manual rejection and an extension do as well', async () => {
    const person = await register(testContext)
    const id = await buyInCrypto(testContext, person, { plan_id: sold.plan.id, months: 3 })
    await spend(testContext, person, DAILY + 1000)
    const { id: refund_id } = await refund(testContext, person, id)
    await Promise.all([
      call('POST', `/api/v1/admin/refunds/${refund_id}/reject`, { token: admin.token, body: {} }),
      buy(testContext, person, { plan_id: sold.plan.id }),
    ])
    const months = await monthsOf(testContext, person)
    expect(months.map(({ withdrawn_by }) => withdrawn_by)).toEqual([null, null, null, null])
    expect(months.map(({ starts_at }) => starts_at)).toEqual(
      months.map((_month, index) => Number(months[0]?.starts_at) + index * 30 * DAY_MS),
    )
    expect(await termsOf(testContext, person)).toMatchObject([{ period_end: months[3]?.ends_at }])
  })
})

describe('a refund event', () => {
  test('that is repeated, or comes after the end, changes nothing', async () => {
    const { person, id } = await buyMonths()
    await refund(testContext, person, id)
    const [created] = (await showSandboxOrder(id)).events.filter(({ type }) => type === 'adjustment.created')
    const [rejected] = await decideRefund(id, 'rejected')
    if (created === undefined || rejected === undefined) throw new Error('no webhook was sent')
    for (const callback of [rejected, created, rejected, created]) {
      expect((await sendCallback(testContext, callback)).status).toBe(200)
    }
    expect(await refundsOf(testContext, person)).toMatchObject([{ status: 'failed' }])
    expect(await balanceOf(person)).toBe(DAILY + 1000)
    expect(await entriesOf(testContext, person, id)).toHaveLength(3)
  })

  test.each([
    [
      'for an unknown refund',
      "UPDATE orders SET provider = 'sandbox_crypto' WHERE id = ?",
      /not requested here/,
    ],
    [
      'after the refund succeeded',
      "UPDATE refunds SET status = 'succeeded' WHERE order_id = ?",
      /reversed the refund/,
    ],
  ])('%s is reported to the operator and changes nothing', async (_what, sql, logged) => {
    const { person, id } = await buyMonths()
    await refund(testContext, person, id)
    const callbacks = await decideRefund(id, 'rejected')
    await query(testContext, sql, id)
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await sendCallbacks(testContext, callbacks)
    const lines = written.mock.calls.map(([line]) => String(line))
    written.mockRestore()
    expect(lines).toContainEqual(expect.stringMatching(logged))
    expect(await balanceOf(person)).toBe(DAILY)
  })
})
