import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, NO_CLIENT, type Person, register } from '../../test/edge/worker/people.ts'
import { authenticate } from './authenticate.ts'
import { beginSession } from './begin-session.ts'
import { findAccount, toCallerAccount } from './queries.ts'
import { Session } from './schemas.ts'
import { forgetExpiredSessions } from './session-queries.ts'
import { SESSION_SECONDS } from './session-tokens.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const AUTH = '/api/v1/auth'

async function login({ email, password }: Person, headers: Record<string, string> = {}): Promise<string> {
  const body = { email, password }
  const sent = { 'cf-connecting-ip': freshAddress(), ...headers }
  return (await call('POST', `${AUTH}/login`, { body, headers: sent })).json.access_token
}

const readMe = (token: string) => call('GET', `${AUTH}/me`, { token })

/** Checks which tokens still work, in this isolate and in one with empty caches. */
async function listOpen(tokens: string[]): Promise<boolean[]> {
  const elsewhere = makeTestContext()
  return Promise.all(
    tokens.map(async (token) => {
      const statuses = [await readMe(token), await elsewhere.call('GET', `${AUTH}/me`, { token })]
      expect(statuses[0]?.status).toBe(statuses[1]?.status)
      return statuses[0]?.status === 200
    }),
  )
}

test('logout ends this session only, and keeps the keys', async () => {
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  const other = await login(person)
  const answer = await call('POST', `${AUTH}/logout`, { token: person.token })
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(await listOpen([person.token, other])).toEqual([false, true])
  expect((await call('POST', `${AUTH}/logout`, { token: person.token })).status).toBe(401)
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
})

test('logout ends a session that a password change kept', async () => {
  const person = await register(testContext)
  const body = { current_password: person.password, new_password: 'staple battery horse' }
  expect((await call('POST', `${AUTH}/password`, { token: person.token, body })).status).toBe(200)
  await call('POST', `${AUTH}/logout`, { token: person.token })
  expect(await listOpen([person.token])).toEqual([false])
})

test('logout-all ends all sessions of the account and no other, and keeps the keys', async () => {
  const [person, bystander] = [await register(testContext), await register(testContext)]
  const { key } = await makeKey(testContext, person)
  const other = await login(person)
  expect((await call('POST', `${AUTH}/logout-all`, { token: other })).status).toBe(204)
  expect(await listOpen([person.token, other, bystander.token])).toEqual([false, false, true])
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
  expect(await listOpen([await login(person)])).toEqual([true])
})

test('a key cannot sign out', async () => {
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  for (const path of ['logout', 'logout-all']) {
    expect((await call('POST', `${AUTH}/${path}`, { key })).status).toBe(401)
  }
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'
const SESSIONS = `${AUTH}/sessions`

const list = async (token: string) => z.array(Session).parse((await call('GET', SESSIONS, { token })).json)
const end = (token: string, id: string) => call('DELETE', `${SESSIONS}/${id}`, { token })

/** Returns the id of the session that a token belongs to. */
const idOf = async (token: string) => (await list(token)).find(({ is_current }) => is_current)?.id ?? ''

async function readLastUse(token: string): Promise<number> {
  const sql = 'SELECT last_used_at FROM sessions WHERE id = ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [await idOf(token)] })
  return Number(rows[0]?.last_used_at)
}

describe('the list of sessions', () => {
  test('shows device, network and times of each sign-in, and which one is current', async () => {
    const person = await register(testContext)
    const browser = await login(person, { 'user-agent': FIREFOX, 'cf-connecting-ip': '203.0.113.77' })
    const program = await login(person, {
      'user-agent': 'curl/8.5.0',
      'cf-connecting-ip': '2001:db8:1:2::3',
    })
    const listed = await list(browser)
    expect(listed).toHaveLength(3)
    expect(listed.filter(({ is_current }) => is_current)).toMatchObject([
      { device: 'Firefox on Linux', network: '203.0.113.0/24' },
    ])
    expect(listed.find(({ device }) => device === 'curl')).toMatchObject({
      id: await idOf(program),
      network: '2001:db8:1::/48',
      is_current: false,
    })
    const [first] = listed
    const lives_ms = Date.parse(first?.expires_at ?? '') - Date.parse(first?.created_at ?? '')
    expect(Math.ceil(lives_ms / 1000)).toBe(SESSION_SECONDS)
    expect(JSON.stringify(listed)).not.toMatch(/203\.0\.113\.77|2001:db8:1:2/)
  })

  test('starts with the registration, and is of the own account only', async () => {
    const body = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery' }
    const headers = { 'cf-connecting-ip': freshAddress(), 'user-agent': FIREFOX }
    const { json } = await call('POST', `${AUTH}/register`, { body, headers })
    expect(await list(json.access_token)).toMatchObject([{ device: 'Firefox on Linux', is_current: true }])
  })

  test('holds the 100 sessions that were used last', async () => {
    const person = await register(testContext)
    const sql = `INSERT INTO sessions (id, account_id, created_at, last_used_at, expires_at)
      VALUES (?, ?, 1, ?, ?)`
    const insert = (index: number) => ({
      sql,
      args: [`${person.id}-${index}`, person.id, index + 1, Date.now() + 60_000],
    })
    await deps.db.$client.batch(Array.from({ length: 99 }, (_, index) => insert(index)))
    expect(await list(person.token)).toHaveLength(100)
    const listed = await list(await login(person))
    expect(listed).toHaveLength(100)
    expect(listed.map(({ id }) => id)).not.toContain(`${person.id}-0`)
  })

  test('has the last use to within ten minutes, and requests write no more often', async () => {
    const { token } = await register(testContext)
    const begun = await readLastUse(token)
    const useAfter = async (minutes: number) => {
      const deferred: Promise<unknown>[] = []
      const clock = { now: () => begun + minutes * 60_000 }
      const later = {
        ...makeTestContext().deps,
        clock,
        defer: (work: Promise<unknown>) => deferred.push(work),
      }
      await authenticate(later, { from: 'bearer', text: token })
      await Promise.all(deferred)
      return [deferred.length, ((await readLastUse(token)) - begun) / 60_000]
    }
    expect([await useAfter(9), await useAfter(11), await useAfter(20)]).toEqual([
      [0, 0],
      [1, 11],
      [0, 11],
    ])
  })
})

describe('ending one session', () => {
  test('refuses its token at once and keeps all others', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const [lost, other] = [await login(person), await login(person)]
    const answer = await end(person.token, await idOf(lost))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await listOpen([person.token, lost, other])).toEqual([true, false, true])
    expect(await list(person.token)).toHaveLength(2)
    expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
  })

  test('ends the session that asks, too', async () => {
    const { token } = await register(testContext)
    expect((await end(token, await idOf(token))).status).toBe(204)
    expect(await listOpen([token])).toEqual([false])
  })

  test('returns 404 for an ended, an unknown, and another account’s session', async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const ended = await idOf(await login(person))
    await end(person.token, ended)
    for (const id of [ended, crypto.randomUUID(), await idOf(stranger.token)]) {
      const answer = await end(person.token, id)
      expect([answer.status, answer.code]).toEqual([404, 'session_not_found'])
    }
    expect(await listOpen([stranger.token])).toEqual([true])
  })

  test('is refused within five seconds in an isolate that has seen the token', async () => {
    const person = await register(testContext)
    const lost = await login(person)
    const elsewhere = makeTestContext()
    const seen = { from: 'bearer' as const, text: lost }
    expect(await authenticate(elsewhere.deps, seen)).not.toBeNull()
    await end(person.token, await idOf(lost))
    const clock = { now: () => Date.now() + 5000 }
    expect(await authenticate({ ...elsewhere.deps, clock }, seen)).toBeNull()
  })
})

test('a password change and a sign-out everywhere remove the sessions that they end', async () => {
  const person = await register(testContext)
  await login(person)
  const body = { current_password: person.password, new_password: 'staple battery horse' }
  await call('POST', `${AUTH}/password`, { token: person.token, body })
  expect(await list(person.token)).toMatchObject([{ is_current: true }])
  await call('POST', `${AUTH}/logout-all`, { token: person.token })
  expect(await list(await login({ ...person, password: body.new_password }))).toHaveLength(1)
})

test('a sign-in that a concurrent end of all sessions overtakes starts no session', async () => {
  const person = await register(testContext)
  const account = await findAccount(deps.db, person.id)
  if (account === undefined) throw new Error('The account was not found.')
  await call('POST', `${AUTH}/logout-all`, { token: person.token })
  const { access_token } = await beginSession(deps, toCallerAccount(account), account, NO_CLIENT)
  expect(await listOpen([access_token])).toEqual([false])
  expect(await list(await login(person))).toHaveLength(1)
})

test('a session is forgotten once its token has expired', async () => {
  const { id } = await register(testContext)
  const count = async () => {
    const sql = 'SELECT count(*) AS rows FROM sessions WHERE account_id = ?'
    return (await deps.db.$client.execute({ sql, args: [id] })).rows[0]?.rows
  }
  await forgetExpiredSessions(deps.db, Date.now())
  expect(await count()).toBe(1)
  await forgetExpiredSessions(deps.db, Date.now() + (SESSION_SECONDS + 60) * 1000)
  expect(await count()).toBe(0)
})
