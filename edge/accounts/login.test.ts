import { describe, expect, test } from 'vitest'
import type { TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface Visit {
  ip?: string
  cookie?: string
}

function attempt({ call }: TestContext, { email }: Person, password: string, { ip, cookie }: Visit = {}) {
  return call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: { 'cf-connecting-ip': ip ?? freshAddress(), ...(cookie === undefined ? {} : { cookie }) },
  })
}

/** Signs in and returns the cookie that the browser holds afterwards. */
async function visit(testContext: TestContext, person: Person, seen: Visit = {}): Promise<string> {
  const answer = await attempt(testContext, person, person.password, seen)
  expect(answer.status, answer.text).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Counts the response statuses for repeated wrong passwords, rotating through `ips`. */
async function guess(
  testContext: TestContext,
  person: Person,
  count: number,
  ips: readonly string[],
  cookie?: string,
) {
  const answers = Array.from({ length: count }, (_, index) =>
    attempt(testContext, person, 'wrong password', {
      ip: ips[index % ips.length] ?? '',
      ...(cookie && { cookie }),
    }),
  )
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  return {
    wrong: statuses.filter((status) => status === 401).length,
    refused: statuses.filter((s) => s === 429).length,
  }
}

const networks = (count: number) => Array.from({ length: count }, freshAddress)

describe('wrong passwords', () => {
  test('are limited to ten per network; the owner can still sign in from another network', async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const [ip = ''] = networks(1)
    expect(await guess(testContext, owner, 15, [ip])).toEqual({ wrong: 10, refused: 5 })
    expect((await attempt(testContext, owner, owner.password, { ip })).status).toBe(429)
    expect((await attempt(testContext, owner, owner.password)).status).toBe(200)
  })

  test('at one account do not block other accounts of a shared network', { tags: ['extended'] }, async () => {
    const testContext = await makeLimitedContext({ login_failures_per_ip_max: 15 })
    const [guessed, other] = [await register(testContext), await register(testContext)]
    const ip = freshAddress()
    expect(await guess(testContext, guessed, 20, [ip])).toEqual({ wrong: 10, refused: 10 })
    expect((await attempt(testContext, other, other.password, { ip })).status).toBe(200)
  })

  test('from many networks are limited together; a known browser can still sign in', {
    tags: ['extended'],
  }, async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const ips = networks(12)
    const cookie = await visit(testContext, owner)
    expect(await guess(testContext, owner, 60, ips)).toEqual({ wrong: 50, refused: 10 })
    const unknown = await attempt(testContext, owner, owner.password)
    expect([unknown.status, unknown.json.code]).toEqual([429, 'too_many_attempts'])
    await visit(testContext, owner, { cookie })
    await visit(testContext, owner, { cookie, ip: ips[0] ?? '' })
  })

  test('from a known browser are limited to ten, and block only that browser', {
    tags: ['extended'],
  }, async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const [stolen, own] = [await visit(testContext, owner), await visit(testContext, owner)]
    expect(await guess(testContext, owner, 15, networks(15), stolen)).toEqual({ wrong: 10, refused: 5 })
    await visit(testContext, owner, { cookie: own })
    expect((await attempt(testContext, owner, owner.password)).status).toBe(200)
  })
})

describe('a browser', () => {
  test.each<[string, (cookie: string, other: string) => string]>([
    ['with a token of another account', (cookie, other) => `${cookie.split('=')[0]}=${other.split('=')[1]}`],
    ['with a forged token', (cookie) => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`],
    ['without a token', (cookie) => `${cookie.split('=')[0]}=`],
  ])('%s is treated as unknown', async (_which, forge) => {
    const testContext = await makeLimitedContext()
    const [owner, stranger] = [await register(testContext), await register(testContext)]
    const cookie = forge(await visit(testContext, owner), await visit(testContext, stranger))
    const [ip = ''] = networks(1)
    await guess(testContext, owner, 10, [ip])
    expect((await attempt(testContext, owner, owner.password, { ip, cookie })).status).toBe(429)
  })

  test('is forgotten after 180 days', async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const cookie = await visit(testContext, owner)
    const [ip = ''] = networks(1)
    testContext.clock.now += 180 * DAY_MS + 1
    await guess(testContext, owner, 10, [ip])
    expect((await attempt(testContext, owner, owner.password, { ip, cookie })).status).toBe(429)
  })
})
