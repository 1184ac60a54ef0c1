import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext, timeOf } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { actAtCheckout, order, sendCallbacks } from '../../test/edge/worker/payments.ts'
import { makeKey, type Person, register } from '../../test/edge/worker/people.ts'
import { listPlan } from '../../test/edge/worker/shop.ts'
import { TOUCH_MS } from './authenticate.ts'

/** One isolate handles the payment; the other only serves the account. */
const paying = makeTestContext()
const serving = makeTestContext()

let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(paying)
})

const tierOf = async ({ call }: TestContext, { token }: Person) =>
  (await call('GET', '/api/v1/auth/me', { token })).json.tier

const requestLimitOf = async ({ call }: TestContext, key: string) =>
  (await call('GET', '/api/v1/me/ping', { key })).headers.get('ratelimit-policy')?.split(';w=')[0]

describe.each([
  ['the isolate that handled the payment', paying],
  ['another isolate', serving],
])('on %s', (_name, isolate) => {
  test('the paid tier is shown as soon as the order is paid', async () => {
    const person = await register(paying)
    expect(await tierOf(isolate, person)).toBe('free')
    const id = await order(paying, person, { plan_id: plan.id, provider: 'sandbox_card' })
    await sendCallbacks(paying, await actAtCheckout(id, 'pay'))
    expect(await tierOf(isolate, person)).toBe('paid')
  })

  test('the plan limits apply as soon as the order is paid', async () => {
    const person = await register(paying)
    const { key } = await makeKey(paying, person)
    const id = await order(paying, person, { plan_id: plan.id, provider: 'sandbox_card' })
    expect(await requestLimitOf(isolate, key)).not.toBe('"minute";q=300')
    await sendCallbacks(paying, await actAtCheckout(id, 'pay'))
    expect(await requestLimitOf(isolate, key)).toBe('"minute";q=300')
  })
})

test('the last use of a key is written at most once in ten minutes', async () => {
  const testContext = await makeLimitedContext()
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  await order(testContext, person, { plan_id: plan.id, provider: 'sandbox_card' })
  const begun = testContext.clock.now
  const used: number[] = []
  for (const passed of [0, 5000, TOUCH_MS - 1, TOUCH_MS]) {
    testContext.clock.now = begun + passed
    await testContext.call('GET', '/api/v1/me/ping', { key })
    await testContext.settled()
    const [stored] = (await testContext.call('GET', '/api/v1/tokens', { token: person.token })).json
    used.push(timeOf(stored?.last_used_at) - begun)
  }
  expect(used).toEqual([0, 0, 0, TOUCH_MS])
})
