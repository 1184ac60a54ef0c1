import type { SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { order, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { listPackage, listPlan, registerAdministrator } from '../../test/edge/worker/shop.ts'
import { inDatabase, makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { showTerm, subscribe } from '../../test/edge/worker/terms.ts'
import { forgetCredentials } from '../accounts/authenticate.ts'
import { sendGrant } from '../administration/grant-elsewhere.ts'
import { copyToAll } from '../databases/copy-global-tables.ts'
import { moveAccount } from '../databases/move/move-account.ts'
import { applyMatchedEvents } from '../subscriptions/apply-matched-events.ts'
import { recordOrphanedMandateStatements } from '../subscriptions/orphaned-mandate-queries.ts'
import { accounts, unmatchedEvents } from '../tables.ts'
import { handleProviderEvent } from './handle-event.ts'
import type { PaymentProvider, ProviderEvent } from './provider.ts'

const context = makeSpreadContext({ SMTP_PORT: '9' })
const { call, home, other } = context
const there = inDatabase(context, other)
const EVENTS = '/api/v1/admin/unmatched-events'
const card = { name: 'sandbox_card', kind: 'card' } as PaymentProvider

let admin: Person
let pack: { id: number }
let plan: { id: number }
beforeAll(async () => {
  admin = await registerAdministrator(context)
  pack = await listPackage(context)
  plan = await listPlan(context, { price_cents: 1500 })
  await copyToAll(home)
})

const receive = (reported: ProviderEvent) =>
  handleProviderEvent(home, card, {
    event_id: crypto.randomUUID(),
    occurred_at: Date.now(),
    reported,
  } as Parameters<typeof handleProviderEvent>[2])

async function listEvents(about: string, status = 'open') {
  const { json } = await call('GET', `${EVENTS}?status=${status}&limit=500` as typeof EVENTS, {
    token: admin.token,
  })
  return json.filter((row) => row.about === about)
}

const settle = (id: number, body: object) =>
  call('POST', `${EVENTS}/${id}/settle`, { token: admin.token, body: { note: 'paid twice', ...body } })

/** Reports a payment that is not the one of the order, which is in the other database. */
async function payTwice(): Promise<{ person: Person; id: number; order_id: string }> {
  const person = await register(there)
  const order_id = await order(context, person, { package_id: pack.id, provider: 'sandbox_card' })
  const reported = {
    ...({ kind: 'payment', order_id, state: 'paid', paid_cents: 1000 } as const),
    ...{ charged: null, mandate: null },
  }
  for (const reference of [(await showSandboxOrder(order_id)).payments[0]?.reference ?? '', 'another']) {
    await receive({ ...reported, reference, currency: 'USD' })
  }
  const [event, ...more] = await listEvents(order_id)
  expect([event?.reference, more]).toEqual(['another', []])
  return { person, id: event?.id ?? 0, order_id }
}

describe('a second payment of an order in the other database', () => {
  test('is listed, and its credits are granted once', async () => {
    const { person, id, order_id } = await payTwice()
    const body = { action: 'grant', account_id: person.id, credits: 300 }
    const answers = await Promise.all([1, 2].map(() => settle(id, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 820 })
    expect(await listEvents(order_id)).toEqual([])
    expect(await listEvents(order_id, 'settled')).toMatchObject([{ outcome: 'granted' }])
  })

  test('is granted once to an account in the home', async () => {
    const { id, order_id } = await payTwice()
    const person = await register(context)
    const body = { action: 'grant', account_id: person.id, credits: 300 }
    const answers = await Promise.all([1, 2].map(() => settle(id, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await context.settled()
    // As after a crash before the effect was acknowledged.
    const cause = `unmatched_event:sandbox_card:${order_id}:another:1000`
    await sendGrant(other, { account_id: person.id, credits: 300, cause, note: 'again' })
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 320 })
    expect(await listEvents(order_id, 'settled')).toMatchObject([{ outcome: 'granted' }])
    // As after a restore that lost the settlement: the credits are in another database.
    await other.db.$client.execute({
      sql: 'UPDATE unmatched_events SET settled_at = NULL, outcome = NULL, settlements = 0 WHERE id = ?',
      args: [id],
    })
    const [again, elsewhere] = [await settle(id, body), await settle(id, { ...body, account_id: admin.id })]
    expect([again.code, elsewhere.code]).toEqual(['event_already_settled', 'event_already_settled'])
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 320 })
  })

  test('is granted once, also before the credits of another event about it have arrived', async () => {
    const { person, id, order_id } = await payTwice()
    const effect = `grant:unmatched_event:sandbox_card:${order_id}:another:1000`
    const changeOutbox = (sql: string) => home.db.$client.execute({ sql, args: [effect] })
    await changeOutbox(`INSERT INTO outbox (id, kind, payload, created_at, due_at)
      VALUES (?, 'grant', '{}', 1, 9000000000000)`)
    const answer = await settle(id, { action: 'grant', account_id: person.id, credits: 300 })
    expect(answer.code).toBe('event_already_settled')
    await changeOutbox('DELETE FROM outbox WHERE id = ?')
    expect(await ledgerOf(context, person)).toMatchObject({ balance: 520 })
  })

  test('is not granted to an account that does not exist', async () => {
    const { id, order_id } = await payTwice()
    const answer = await settle(id, { action: 'grant', account_id: 999_999_999, credits: 300 })
    expect(answer.code).toBe('account_not_found')
    expect(await listEvents(order_id)).toMatchObject([{ id }])
  })

  test('is granted to an account that moves while it is looked for', async () => {
    const person = await register(context)
    const moved = Promise.withResolvers<void>()
    let is_asked = false
    /** The home answers the first query only after the account has left. */
    const late = new Proxy(home.db, {
      get: (target, name) => {
        if (name !== 'select' || is_asked) return Reflect.get(target, name)
        is_asked = true
        const where = async (condition: SQL) => {
          await moved.promise
          return target.select().from(accounts).where(condition)
        }
        return () => ({ from: () => ({ where }) })
      },
    })
    const payload = {
      account_id: person.id,
      credits: 300,
      cause: `unmatched_event:${person.id}`,
      note: 'late',
    }
    const granted = sendGrant({ ...home, db: late, databases: [late, other.db] }, payload)
    await moveAccount(home.databases, person.id, 1, { keep_ms: 0 })
    moved.resolve()
    await granted
    forgetCredentials(home)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 320 })
  })

  test('is dismissed', async () => {
    const { id, order_id } = await payTwice()
    expect((await settle(id, { action: 'dismiss' })).status).toBe(200)
    expect(await listEvents(order_id, 'settled')).toMatchObject([{ outcome: 'dismissed' }])
  })
})

describe('an event that arrived before its mandate was in the other database', () => {
  const keep = (about: string, occurredAt: number) => ({
    ...{ provider: card.name, eventId: crypto.randomUUID(), kind: 'mandate' as const, about, occurredAt },
    ...{ event: { kind: 'mandate' as const, mandate: about, state: 'cancelled' as const } },
    createdAt: Date.now(),
  })

  test('is applied, however many older ones wait', async () => {
    const person = await register(there)
    const order_id = await subscribe(there, person, plan.id)
    const mandate = (await showSandboxOrder(order_id)).mandates[0]?.id ?? ''
    const older = Array.from({ length: 60 }, (_, index) => keep(`sub_${crypto.randomUUID()}`, index))
    await home.db.insert(unmatchedEvents).values([...older, keep(mandate, 100)])
    await applyMatchedEvents(home)
    expect(await showTerm(context, person)).toMatchObject({ renewal_status: 'cancelling' })
    expect(await listEvents(mandate, 'settled')).toMatchObject([{ outcome: 'applied' }])
    await home.db.delete(unmatchedEvents)
  })

  test('is not kept if that mandate renews nothing', async () => {
    const mandate = `sub_${crypto.randomUUID()}`
    const orphan = { provider: card.name, mandate, order_id: 'none' }
    for (const statement of recordOrphanedMandateStatements(other.db, orphan, Date.now())) {
      const { sql, params } = statement.toSQL()
      await other.db.$client.execute({ sql, args: params as string[] })
    }
    await receive({ kind: 'mandate', mandate, state: 'cancelled' })
    expect(await listEvents(mandate)).toEqual([])
  })
})
