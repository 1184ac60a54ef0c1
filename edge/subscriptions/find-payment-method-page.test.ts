import { beforeAll, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { listPlan } from '../../test/edge/worker/shop.ts'
import { actOnMandate, cancelRenewal, emailsTo, subscribe } from '../../test/edge/worker/terms.ts'
import { renderQueued } from '../emails/render-queued.ts'
import { isPagePath } from '../web-app/rules/paths.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
/** A context in which the provider of the mandate is no longer configured. */
const coinsOnly = makeTestContext({ PAYMENT_SANDBOX_URL: undefined })
const PATH = '/api/v1/billing/subscription/payment-method'

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500 })
})

async function failing() {
  const person = await register(testContext)
  const order_id = await subscribe(testContext, person, plan.id)
  await actOnMandate(testContext, order_id, 'fail_charge')
  return { person, order_id }
}

const find = (person: Person, context = testContext) => context.call('POST', PATH, { token: person.token })

test('the email about a failed charge leads to a page of the site', async () => {
  const { person } = await failing()
  const failed = (await emailsTo(testContext, person)).find(({ content }) => content.status === 'failed')
  const url = testContext.deps.env.PUBLIC_URL
  const { text } = renderQueued(failed.content, 'uk', { url, support: '' })
  const link = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
  expect([link.origin, link.searchParams.get('lang')]).toEqual([new URL(url).origin, 'uk'])
  expect(isPagePath(link.pathname)).toBe(true)
})

test("the page of a mandate's payment method belongs to its provider", async () => {
  const { person, order_id } = await failing()
  const [mandate] = (await showSandboxOrder(order_id)).mandates
  const { status, json } = await find(person)
  expect([status, json]).toEqual([200, { redirect_url: expect.stringContaining(`/mandates/${mandate?.id}`) }])
})

test('there is no page without a renewal, and none while the provider cannot be asked', async () => {
  const nobody = await register(testContext)
  expect(await find(nobody)).toMatchObject({ status: 409, code: 'not_recurring' })
  const { person } = await failing()
  expect(await find(person, coinsOnly)).toMatchObject({ status: 502, code: 'payment_provider_unavailable' })
  await cancelRenewal(testContext, person)
  expect(await find(person)).toMatchObject({ status: 409, code: 'not_recurring' })
})
