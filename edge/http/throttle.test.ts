import { describe, expect, test } from 'vitest'
import type { Answer, TestContext } from '../../test/edge/worker/context.ts'
import {
  freshAddress,
  freshBlock,
  makeLimitedContext,
  remainingOf,
} from '../../test/edge/worker/limited-context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'cf-connecting-ip': address, ...headers },
})

async function callOften(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const answers = []
  for (let number = 0; number < count; number++) answers.push((await call()).status)
  return answers
}

const ping = ({ call }: TestContext, key: string) => call('GET', '/api/v1/me/ping', { key })
const formToken = ({ call }: TestContext, address: string, headers?: Record<string, string>) =>
  call('GET', '/api/v1/public/feedback/token', from(address, headers))

describe('the per-minute limit', () => {
  test('without credentials is 30 requests per address, then 429 until the next minute', async () => {
    const testContext = await makeLimitedContext()
    const address = freshAddress()
    expect(await callOften(30, () => formToken(testContext, address))).toEqual(Array(30).fill(200))
    const refused = await formToken(testContext, address)
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('per-minute'),
    })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(remainingOf(refused, 'minute')).toBe(0)
    testContext.clock.now += wait * 1000
    expect((await formToken(testContext, address)).status).toBe(200)
  })

  test('is shared by an IPv6 network, and separate for other addresses', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 2 })
    const address = freshAddress()
    const neighbour = address.replace(/::1$/, '::2')
    expect(await callOften(2, () => formToken(testContext, address))).toEqual([200, 200])
    expect((await formToken(testContext, neighbour)).status).toBe(429)
    expect((await formToken(testContext, freshAddress())).status).toBe(200)
  })

  test('of an IPv6 /48 is 16 times that of its networks', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 1 })
    const [last = '', ...others] = freshBlock(17)
    for (const address of others) expect((await formToken(testContext, address)).status).toBe(200)
    const refused = await formToken(testContext, last)
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited'])
    expect((await formToken(testContext, freshAddress())).status).toBe(200)
  })

  test('cannot be bypassed with headers set by clients', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 3 })
    const address = freshAddress()
    const statuses = []
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'x-anonymous-id']) {
      statuses.push((await formToken(testContext, address, { [name]: crypto.randomUUID() })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test('of an account is 60 requests, shared by its sessions and keys from any address', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_free: 6 })
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    expect(await callOften(2, () => ping(testContext, key))).toEqual([200, 200])
    const session = () =>
      testContext.call('GET', '/api/v1/me/ping', { token: person.token, ...from(freshAddress()) })
    expect(await callOften(4, session)).toEqual([200, 200, 200, 429])
    expect((await ping(testContext, key)).json.code).toBe('rate_limited')
    const other = await register(testContext)
    expect((await testContext.call('GET', '/api/v1/me/ping', { token: other.token })).status).toBe(200)
  })

  test('counts invalid keys by address', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 3 })
    const address = freshAddress()
    const guess = () =>
      testContext.call('GET', '/api/v1/me/ping', { key: `mk_${crypto.randomUUID()}`, ...from(address) })
    expect(await callOften(5, guess)).toEqual([401, 401, 401, 429, 429])
  })
})

describe('what every page reads first', () => {
  const PATHS = ['/api/v1/studio/tools', '/api/v1/public/config', '/api/v1/public/pricing'] as const

  test('does not count against the requests of an address', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 2 })
    const address = freshAddress()
    for (const path of PATHS) {
      const read = () => testContext.call('GET', path, from(address))
      expect([path, await callOften(40, read)]).toEqual([path, Array(40).fill(200)])
    }
    expect(await callOften(3, () => formToken(testContext, address))).toEqual([200, 200, 429])
    for (const path of PATHS) expect((await testContext.call('GET', path, from(address))).status).toBe(200)
  })

  test('has a limit of its own', async () => {
    const testContext = await makeLimitedContext()
    const { headers } = await testContext.call('GET', '/api/v1/public/pricing', from(freshAddress()))
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=1200;w=60')
  })

  test.each(PATHS.slice(0, 2))(
    '%s can be cached by everyone, without the limits of one client',
    async (path) => {
      const testContext = await makeLimitedContext()
      const first = await testContext.call('GET', path, from(freshAddress()))
      expect(first.headers.get('cache-control')).toBe('public, max-age=15, stale-while-revalidate=45')
      expect(first.headers.get('ratelimit')).toBeNull()
      const known = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await testContext.call('GET', path, from(freshAddress(), known))
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )
})

describe('the daily limit of a key', () => {
  test('is the cap of the key', async () => {
    const testContext = await makeLimitedContext()
    const { token } = await register(testContext)
    const created = await testContext.call('POST', '/api/v1/tokens', { token, body: { max_per_day: 4 } })
    const { id, plaintext } = created.json
    const second = (await testContext.call('POST', '/api/v1/tokens', { token, body: {} })).json.plaintext
    expect(await callOften(5, () => ping(testContext, plaintext))).toEqual([200, 200, 200, 200, 429])
    const refused = await ping(testContext, plaintext)
    expect(refused.json).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('per-day') })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ping(testContext, second)).json.key?.used_today).toBe(1)
    const listed = (await testContext.call('GET', '/api/v1/tokens', { token })).json
    expect(listed.find((shown) => shown.id === id)?.used_today).toBe(4)
    testContext.clock.now += 24 * 60 * 60 * 1000
    expect((await ping(testContext, plaintext)).json.key?.used_today).toBe(1)
  })

  test('does not refuse to cancel jobs and batches', async () => {
    const testContext = await makeLimitedContext()
    const { token } = await register(testContext)
    const created = await testContext.call('POST', '/api/v1/tokens', { token, body: { max_per_day: 1 } })
    const key = created.json.plaintext
    expect(await callOften(2, () => ping(testContext, key))).toEqual([200, 429])
    for (const path of ['/api/v1/jobs/x/cancel', '/api/v1/studio/batches/x/cancel']) {
      expect((await testContext.call('POST', path, { key })).status).toBe(404)
    }
  })

  test('is the service default when the key has no cap', async () => {
    const testContext = await makeLimitedContext({ requests_per_day_key: 2 })
    const { key } = await makeKey(testContext, await register(testContext))
    expect(await callOften(3, () => ping(testContext, key))).toEqual([200, 200, 429])
  })
})

describe('every response states the limits of its caller', () => {
  test.each([
    ['GET', '/api/v1/public/feedback/token', 200],
    ['GET', '/api/v1/me/ping', 401],
    ['POST', '/api/v1/auth/login', 422],
  ])('%s %s (%i)', async (method, path, status) => {
    const testContext = await makeLimitedContext()
    const body = method === 'POST' ? { body: {} } : {}
    const answer = await testContext.call(method, path, { ...from(freshAddress()), ...body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=30;w=60, "day";q=10000;w=86400')
    expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=29;t=\d+, "day";r=9999;t=\d+$/)
  })

  test('for an unknown path, as for any anonymous call', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 2 })
    const address = from(freshAddress())
    const nowhere = () => testContext.call('GET', '/api/v1/nowhere', address)
    expect(await callOften(5, nowhere)).toEqual([404, 404, 429, 429, 429])
    expect((await nowhere()).headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60, "day";q=10000;w=86400')
    expect((await testContext.call('GET', '/api/v1/public/feedback/token', address)).status).toBe(429)
  })

  test('for an administrator, by a limit that settings cannot lower', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_free: 1, requests_per_day_free: 1 })
    const { token } = await registerAdministrator(testContext)
    const settings = () => testContext.call('GET', '/api/v1/admin/settings', { token })
    expect(await callOften(3, settings)).toEqual([200, 200, 200])
    expect((await settings()).headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60')
  })

  test('with a key: per minute, per day, and per day of the key', async () => {
    const testContext = await makeLimitedContext()
    const { key } = await makeKey(testContext, await register(testContext))
    const answer = await ping(testContext, key)
    expect(answer.headers.get('ratelimit-policy')).toBe(
      '"minute";q=60;w=60, "day";q=50000;w=86400, "key-day";q=5000;w=86400',
    )
    expect(remainingOf(answer, 'key-day')).toBe(4999)
  })

  test('for health checks, without enforcing them', async () => {
    const testContext = await makeLimitedContext({ requests_per_minute_anonymous: 1 })
    const address = freshAddress()
    const health = () => testContext.call('GET', '/api/health', from(address))
    expect(await callOften(3, health)).toEqual([200, 200, 200])
    expect((await health()).headers.get('ratelimit')).toMatch(/^"unenforced-minute";r=5996;t=\d+$/)
  })
})

test('a health check gets a response while the counters hang', async () => {
  const silent = { idFromName: () => 'any', get: () => ({ take: () => new Promise(() => {}) }) }
  const testContext = await makeLimitedContext({}, { QUOTAS: silent })
  const answer = await testContext.call('GET', '/api/health', from(freshAddress()))
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null])
})

test('no request is refused while the counters are down', async () => {
  const broken = {
    idFromName: () => {
      throw new Error('the counters are down')
    },
  }
  const testContext = await makeLimitedContext({}, { QUOTAS: broken })
  const answer = await testContext.call('GET', '/api/v1/public/feedback/token', from(freshAddress()))
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null])
})

test('a key that was paused in another isolate is refused within five seconds', async () => {
  const [here, there] = [await makeLimitedContext(), await makeLimitedContext()]
  const person = await register(here)
  const { id, key } = await makeKey(here, person)
  expect((await ping(here, key)).status).toBe(200)
  await there.call('POST', `/api/v1/tokens/${id}/toggle`, { token: person.token })
  here.clock.now += 5000
  expect((await ping(here, key)).status).toBe(401)
})
