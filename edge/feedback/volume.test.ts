import { describe, expect, test } from 'vitest'
import { freshNetwork, makeFormContext } from '../../test/edge/worker/feedback.ts'
import { register } from '../../test/edge/worker/people.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Sends messages until one is refused. Returns the number accepted and the wait in seconds. */
async function sendUntilRefused(
  send: () => ReturnType<Awaited<ReturnType<typeof makeFormContext>>['send']>,
  step: () => void,
) {
  for (let count = 0; ; count++) {
    const answer = await send()
    if (answer.status !== 202) {
      expect(answer.status, answer.text).toBe(429)
      return { count, wait: Number(answer.headers.get('retry-after')), code: answer.json.code }
    }
    step()
  }
}

describe('the message limit', () => {
  test('of an address is one per 15 minutes, exactly', async () => {
    const testContext = await makeFormContext()
    const ip = `${freshNetwork()}::1`
    const pause = (ms: number) => () => {
      testContext.clock.now += ms
    }
    expect((await testContext.send({ ip })).status).toBe(202)
    const first = testContext.clock.now
    const refused = await testContext.send({ ip })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(15 * 60)])
    pause(Number(refused.headers.get('retry-after')) * 1000)()
    expect(testContext.clock.now - first).toBe(15 * MINUTE_MS)
    expect((await testContext.send({ ip })).status).toBe(202)
    // Another address in the same network has a separate waiting period.
    expect((await testContext.send({ ip: ip.replace('::1', '::2') })).status).toBe(202)
  })

  test('of an address is 5 per day', async () => {
    const testContext = await makeFormContext()
    const ip = '198.51.100.7'
    const begun = testContext.clock.now
    const { count, wait, code } = await sendUntilRefused(
      () => testContext.send({ ip }),
      () => {
        testContext.clock.now += HOUR_MS
      },
    )
    expect([count, code]).toEqual([5, 'too_many_messages'])
    expect(testContext.clock.now + wait * 1000).toBe(begun + DAY_MS)
  })

  test.each<[string, number, (number: number) => string]>([
    ['a /24', 10, (number) => `203.0.113.${number + 1}`],
    ['a /64', 10, (number) => `2001:db8:77:1::${number + 1}`],
    ['a /48', 30, (number) => `2001:db8:78:${number + 1}::1`],
  ])('of %s is %i per hour', async (_name, limit, addressOf) => {
    const testContext = await makeFormContext()
    let number = 0
    const { count, code } = await sendUntilRefused(
      () => testContext.send({ ip: addressOf(number) }),
      () => {
        number += 1
      },
    )
    expect([count, code]).toEqual([limit, 'too_many_messages'])
    expect((await testContext.send({})).status).toBe(202)
    testContext.clock.now += HOUR_MS
    expect((await testContext.send({ ip: addressOf(40) })).status).toBe(202)
  })

  test('of an account is one per 2 minutes and 20 per day, from any address', async () => {
    const testContext = await makeFormContext()
    const from = await register(testContext)
    expect((await testContext.send({ from })).status).toBe(202)
    const soon = await testContext.send({ from })
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '120'])
    testContext.clock.now += 2 * MINUTE_MS
    const { count, code } = await sendUntilRefused(
      () => testContext.send({ from }),
      () => {
        testContext.clock.now += 2 * MINUTE_MS
      },
    )
    expect([count, code]).toEqual([19, 'too_many_messages'])
  })

  test('of everybody is the hourly setting', async () => {
    const testContext = await makeFormContext({ feedback_per_hour: 3 })
    const from = await register(testContext)
    const { count, code } = await sendUntilRefused(
      () => testContext.send({}),
      () => undefined,
    )
    expect([count, code]).toEqual([3, 'too_many_messages'])
    expect((await testContext.send({ from })).status).toBe(429)
    const closed = await makeFormContext({ feedback_per_hour: 0 })
    expect((await closed.send({})).status).toBe(429)
  })

  test('counts only accepted messages', async () => {
    const testContext = await makeFormContext()
    const ip = `${freshNetwork()}::1`
    for (const body of [{ message: 'short' }, { website: 'x' }, { form_token: 'x' }]) {
      expect((await testContext.send({ ip, body })).status).not.toBe(202)
    }
    expect((await testContext.send({ ip })).status).toBe(202)
  })
})
