import { beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { actAtCheckout, sendCallbacks, showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { listPlan } from '../../test/edge/worker/shop.ts'
import {
  actOnMandate,
  cancelRenewal,
  emailsTo,
  openSubscriber,
  showTerm,
  subscribe,
  transitionsOf,
} from '../../test/edge/worker/terms.ts'
import type { RenderedEmail } from '../emails/rules/email.ts'
import { sendEffects } from '../platform/outbox/send.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
})

const subscriber = (months = 1) => openSubscriber(testContext, plan.id, months)

async function emailsOf(person: Person, kind: string) {
  return (await emailsTo(testContext, person)).filter(({ content }) => content.kind === kind)
}

test("the emails use the account's language, whatever the language of the consent", async () => {
  const person = await register(testContext)
  const order_id = await subscribe(testContext, person, plan.id, { consent_locale: 'uk' })
  await testContext.deps.db.$client.execute(`UPDATE accounts SET locale = 'ru' WHERE id = ${person.id}`)
  await actOnMandate(testContext, order_id, 'fail_charge')
  await cancelRenewal(testContext, person)
  const sent: RenderedEmail[] = []
  const mailer = { send: async (_id: string, _to: string, email: RenderedEmail) => void sent.push(email) }
  const sql = "SELECT id, kind, payload FROM outbox WHERE id LIKE 'mail:renewal-%' AND payload LIKE ?"
  const { rows } = await testContext.deps.db.$client.execute({ sql, args: [`%"${person.email}"%`] })
  for (const { id, payload } of rows) {
    const effect = { id: String(id), kind: 'mail' as const, payload: JSON.parse(String(payload)) }
    await sendEffects({ ...testContext.deps, mailer }, [effect])
  }
  expect(sent.map(({ subject }) => subject).sort()).toEqual([
    'Ваш тариф Tried больше не продлевается',
    'Платеж за тариф Tried не прошел',
  ])
  expect(await emailsOf(person, 'renewal')).toEqual([])
})

describe('the provider', () => {
  test('can pause and resume a mandate', async () => {
    const { person, order_id } = await subscriber()
    const callbacks = [
      ...(await actOnMandate(testContext, order_id, 'pause')),
      ...(await actAtCheckout(order_id, 'resume')),
    ]
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'paused', auto_renew: true })
    await sendCallbacks(testContext, [...callbacks, ...callbacks])
    expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'active' })
    expect(await transitionsOf(testContext, person)).toEqual([
      ['active', 'order'],
      ['paused', 'provider'],
      ['active', 'provider'],
    ])
  })

  test('can end a mandate: the months stay, and one email is sent', async () => {
    const { person, order_id } = await subscriber(3)
    const before = await showTerm(testContext, person)
    const callbacks = await actOnMandate(testContext, order_id, 'cancel')
    await sendCallbacks(testContext, callbacks)
    expect(await showTerm(testContext, person)).toMatchObject({
      renewal_status: 'cancelling',
      cancel_at_period_end: true,
      renews_at: null,
      period_end: before?.period_end,
      can_cancel: false,
    })
    expect(await emailsOf(person, 'renewal')).toHaveLength(1)
  })

  test('reports an end that was requested here, which changes nothing more', async () => {
    const { person, order_id } = await subscriber()
    await cancelRenewal(testContext, person)
    await eventually('the mandate to end', async () =>
      (await showSandboxOrder(order_id)).mandates.every(({ status }) => status === 'canceled'),
    )
    const { events } = await showSandboxOrder(order_id)
    await sendCallbacks(
      testContext,
      events.filter(({ type }) => type === 'subscription.canceled'),
    )
    expect(await transitionsOf(testContext, person)).toEqual([
      ['active', 'order'],
      ['cancelling', 'owner'],
    ])
    expect(await emailsOf(person, 'renewal')).toHaveLength(1)
  })
})
