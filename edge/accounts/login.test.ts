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

  test('from all known browsers together are limited to ten', { tags: ['extended'] }, async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const [one, other] = [await visit(testContext, owner), await visit(testContext, owner)]
    expect(await guess(testContext, owner, 8, networks(8), one)).toEqual({ wrong: 8, refused: 0 })
    expect(await guess(testContext, owner, 8, networks(8), other)).toEqual({ wrong: 2, refused: 6 })
    expect((await attempt(testContext, owner, owner.password)).status).toBe(200)
  })

  test('from one network are limited to ten, with and without the cookies of known browsers', {
    tags: ['extended'],
  }, async () => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const cookies = [await visit(testContext, owner), await visit(testContext, owner)]
    const ip = freshAddress()
    let wrong = 0
    for (const cookie of [...cookies, undefined])
      wrong += (await guess(testContext, owner, 6, [ip], cookie)).wrong
    expect(wrong).toBe(10)
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

  test.each([
    ['password', { current_password: true }],
    ['logout-all', undefined],
  ])('is forgotten after a request to %s', async (path, change) => {
    const testContext = await makeLimitedContext()
    const owner = await register(testContext)
    const cookie = await visit(testContext, owner)
    const new_password = 'nobody else knows this'
    const body = change && { current_password: owner.password, new_password }
    const ended = await testContext.call('POST', `/api/v1/auth/${path}`, {
      token: owner.token,
      ...(body && { body }),
    })
    expect(ended.status).toBeLessThan(300)
    const ips = networks(6)
    expect(await guess(testContext, owner, 60, ips)).toEqual({ wrong: 50, refused: 10 })
    const person = { ...owner, password: change ? new_password : owner.password }
    expect((await attempt(testContext, person, person.password, { cookie })).status).toBe(429)
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
