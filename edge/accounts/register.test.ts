import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, freshBlock, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { openAccount } from './register.ts'

const testContext = makeTestContext()
const { call } = testContext
const REGISTER = '/api/v1/auth/register'
const LOGIN = '/api/v1/auth/login'

function freshEmail(): string {
  return `${crypto.randomUUID()}@example.com`
}

describe('registration', () => {
  test('returns a session and the daily allowance; the account is usable before verification', async () => {
    const email = freshEmail().replace('@', '.Mixed@')
    const body = { email, password: 'correct horse battery', full_name: ' Ada Lovelace ' }
    const answer = await call('POST', REGISTER, { body })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({
      token_type: 'bearer',
      user: { email, full_name: 'Ada Lovelace', email_verified: false, has_password: true, is_admin: false },
    })
    expect(answer.text).not.toContain('scrypt')
    const seven_days_ms = 7 * 24 * 60 * 60 * 1000
    expect(Math.abs(Date.parse(answer.json.expires_at) - Date.now() - seven_days_ms)).toBeLessThan(60_000)
    const balance = await call('GET', '/api/v1/billing/balance', { token: answer.json.access_token })
    expect(balance.json).toMatchObject({ balance: 20, expiring: 20 })
  })

  test('is limited for an IPv6 /48 to 16 times the limit of a network', async () => {
    const limited = await makeLimitedContext({ registrations_per_hour_per_ip: 1 })
    const from = (address: string) =>
      limited.call('POST', REGISTER, {
        body: { email: freshEmail(), password: 'correct horse battery' },
        headers: { 'cf-connecting-ip': address },
      })
    const [last = '', ...others] = freshBlock(17)
    const opened = await Promise.all(others.map(from))
    expect(opened.map(({ status }) => status)).toEqual(Array(16).fill(201))
    const refused = await from(last)
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_attempts'])
    expect((await from(freshAddress())).status).toBe(201)
  })

  test('is refused when the address has an account, in any spelling', async () => {
    const { email, password } = await register(testContext)
    const answer = await call('POST', REGISTER, { body: { email: email.toUpperCase(), password } })
    expect([answer.status, answer.json.code]).toEqual([409, 'email_already_registered'])
  })

  test('creates one account with one allowance for twenty concurrent requests', async () => {
    const body = { email: freshEmail(), password: 'correct horse battery' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', REGISTER, { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    const token = answers.find(({ status }) => status === 201)?.json.access_token
    expect((await call('GET', '/api/v1/billing/ledger', { token })).json).toHaveLength(1)
  })

  test('creates one account for both spellings of an internationalized domain', async () => {
    const [name, password] = [crypto.randomUUID(), 'correct horse battery']
    const [typed, ascii] = [`${name}@Пошта.example.org`, `${name}@xn--80a1acn3a.example.org`]
    const opened = await call('POST', REGISTER, { body: { email: typed, password } })
    expect([opened.status, opened.json.user?.email]).toEqual([201, ascii])
    expect((await call('POST', REGISTER, { body: { email: ascii, password } })).status).toBe(409)
    for (const email of [typed, ascii]) {
      const answer = await call('POST', '/api/v1/auth/login', {
        body: { email, password },
        headers: { 'cf-connecting-ip': freshAddress() },
      })
      expect([answer.status, answer.json.user?.id]).toEqual([200, opened.json.user.id])
    }
    const { access_token: token } = opened.json
    for (const new_password of [typed, ascii]) {
      const body = { current_password: password, new_password }
      expect((await call('POST', '/api/v1/auth/password', { token, body })).status).toBe(422)
    }
    const named = makeTestContext({ ADMIN_EMAILS: typed })
    expect(named.deps.env.ADMIN_EMAILS).toEqual([ascii])
  })

  test.each([
    ['no address', { password: 'correct horse' }, 'email'],
    ['no password', { email: 'a@example.com' }, 'password'],
    ['a malformed address', { email: 'a@', password: 'correct horse' }, 'email'],
    ['a number as the address', { email: 5, password: 'correct horse' }, 'email'],
    [
      'an address that is too long',
      { email: `${'a'.repeat(250)}@example.com`, password: 'correct horse' },
      'email',
    ],
    ['a password that is too short', { email: 'a@example.com', password: '1234567' }, 'password'],
    ['a password that is too long', { email: 'a@example.com', password: 'x'.repeat(257) }, 'password'],
    ['a very common password', { email: 'a@example.com', password: 'Password1' }, 'password'],
    [
      'a very common password in other characters',
      { email: 'a@example.com', password: 'ｐａｓｓｗｏｒｄ' },
      'password',
    ],
    ['a blank password', { email: 'a@example.com', password: ' '.repeat(8) }, 'password'],
    [
      'the address in another spelling as the password',
      { email: 'a@xn--80a1acn3a.xn--j1amh', password: 'a@Пошта.УКР' },
      'password',
    ],
    ['the address as the password', { email: 'abc@example.com', password: 'ABC@example.com' }, 'password'],
    ['a list as the name', { email: 'a@example.com', password: 'correct horse', full_name: [] }, 'full_name'],
    [
      'a name that is too long',
      { email: 'a@example.com', password: 'correct horse', full_name: 'x'.repeat(201) },
      'full_name',
    ],
  ])('is refused with %s', async (_name, body, field) => {
    const answer = await call('POST', REGISTER, { body })
    expect(answer.status).toBe(422)
    expect(answer.faults[0]?.loc).toEqual(['body', field])
    expect(answer.faults[0]?.msg).not.toBe('')
  })

  test.each([
    ['short', 'a@', ['password', 'email']],
    ['Password1', 'a@', ['password', 'email']],
    ['correct horse', 'a@', ['email']],
    ['short', 'a'.repeat(1001), ['email', 'password']],
  ])('with the password %s and a malformed address lists every fault', async (password, email, fields) => {
    const answer = await call('POST', REGISTER, { body: { email, password } })
    expect(answer.status).toBe(422)
    expect(answer.faults.map(({ loc }) => loc[1])).toEqual(fields)
  })
})

describe('sign-in', () => {
  test('accepts the address in any case and returns a valid token', async () => {
    const { email, password, id } = await register(testContext)
    const answer = await call('POST', LOGIN, { body: { email: email.toUpperCase(), password } })
    expect(answer.status).toBe(200)
    const me = await call('GET', '/api/v1/auth/me', { token: answer.json.access_token })
    expect([me.status, me.json.id]).toEqual([200, id])
  })

  test('responds alike to a wrong password and an unknown address', async () => {
    const { email } = await register(testContext)
    const wrong = await call('POST', LOGIN, { body: { email, password: 'wrong password' } })
    const unknown = await call('POST', LOGIN, { body: { email: freshEmail(), password: 'wrong password' } })
    expect([wrong.status, wrong.json.code]).toEqual([401, 'invalid_credentials'])
    expect([unknown.status, { ...unknown.json, request_id: '' }]).toEqual([
      wrong.status,
      { ...wrong.json, request_id: '' },
    ])
  })

  test('is refused for a blocked account, which also ends its sessions and keys', async () => {
    const blocked = await register(testContext)
    const { key } = await makeKey(testContext, blocked)
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE accounts SET blocked_at = ? WHERE id = ?',
      args: [Date.now(), blocked.id],
    })
    const { call: elsewhere } = makeTestContext()
    const { email, password } = blocked
    const login = await elsewhere('POST', LOGIN, { body: { email, password } })
    expect(login.status).toBe(403)
    expect((await elsewhere('GET', '/api/v1/auth/me', { token: blocked.token })).status).toBe(401)
    expect((await elsewhere('GET', '/api/v1/me/ping', { key })).status).toBe(401)
  })

  test.each(["' OR 1=1 --", '\u0000', '\ud800', '💳'.repeat(60)])(
    'refuses %j as the address',
    async (email) => {
      const answer = await call('POST', LOGIN, { body: { email, password: 'wrong password' } })
      expect([401, 422]).toContain(answer.status)
    },
  )
})

describe('ping', () => {
  test('returns the caller and the balance, and charges nothing', async () => {
    const person = await register(testContext)
    const { key, id } = await makeKey(testContext, person)
    const common = { ok: true, account_id: person.id, email: person.email, balance: 20 }
    const bySession = await call('GET', '/api/v1/me/ping', { token: person.token })
    expect(bySession.json).toEqual({ ...common, auth: 'session', key: null })
    const byKey = await call('GET', '/api/v1/me/ping', { key })
    expect(byKey.json).toEqual({
      ...common,
      auth: 'key',
      key: { id, name: 'tests', max_per_day: 0, used_today: 1 },
    })
  })
})

test('an address in ADMIN_EMAILS becomes an administrator on registration in the sandbox, and only after verification in production', async () => {
  const email = freshEmail()
  const { call: administered } = makeTestContext({
    ADMIN_EMAILS: `other@example.com, ${email.toUpperCase()}`,
  })
  const answer = await administered('POST', REGISTER, { body: { email, password: 'correct horse battery' } })
  expect(answer.json.user.is_admin).toBe(true)
  const claimed = freshEmail()
  const { deps } = testContext
  const env = { ...deps.env, ENVIRONMENT: 'production' as const, ADMIN_EMAILS: [claimed] }
  const registration = { email: claimed, fullName: null, passwordHash: null, locale: 'en' as const }
  expect(await openAccount({ ...deps, env }, registration)).toMatchObject({ isAdmin: false })
})
