import { describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { makeKey, type Person, register, showJob, submit } from '../../test/edge/worker/people.ts'
import { sendResetLink } from './send-reset-link.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const PATH = '/api/v1/auth/password'
const NEW_PASSWORD = 'staple battery horse'
const HALF_HOUR_MS = 30 * 60 * 1000

const run = (sql: string, ...args: (string | number)[]) => deps.db.$client.execute({ sql, args })

function request({ call }: TestContext, email: string, ip = freshAddress()) {
  return call('POST', `${PATH}/reset-request`, { body: { email }, headers: { 'cf-connecting-ip': ip } })
}

interface SentEmail {
  to: string
  content: { kind: string; token: string; has_password: boolean }
}

/** Reads the emails to an address from the outbox. They stay there because there is no mail server. */
async function listEmails({ email }: Person, kind: string): Promise<SentEmail[]> {
  const { rows } = await run(
    `SELECT payload FROM outbox WHERE kind = 'mail' AND payload ->> 'to' = ? AND payload ->> '$.content.kind' = ?
     ORDER BY created_at, rowid`,
    email,
    kind,
  )
  return rows.map(({ payload }) => JSON.parse(String(payload)))
}

/** Requests a link and reads its token from the email. */
async function receiveToken(person: Person, context = testContext): Promise<string> {
  expect((await request(context, person.email)).status).toBe(202)
  await context.settled()
  return (await listEmails(person, 'password_reset')).at(-1)?.content.token ?? ''
}

const reset = (token: string, new_password = NEW_PASSWORD) =>
  call('POST', `${PATH}/reset`, { body: { token, new_password } })

const login = ({ email }: Person, password: string) =>
  call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: { 'cf-connecting-ip': freshAddress() },
  })

/** Reads the account in another isolate, whose caches are empty. */
const isOpen = async (token: string) =>
  (await makeTestContext().call('GET', '/api/v1/auth/me', { token })).status === 200

const confirm = ({ id }: Person) => run('UPDATE accounts SET email_verified_at = 1 WHERE id = ?', id)

describe('a password reset', () => {
  test('sets the password once, signs in, ends all other sessions, and emails the owner', async () => {
    const person = await register(testContext)
    await confirm(person)
    const { key } = await makeKey(testContext, person)
    const token = await receiveToken(person)
    const answer = await reset(token)
    expect([answer.status, answer.json.user.id, answer.json.token_type]).toEqual([200, person.id, 'bearer'])
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    expect([await isOpen(person.token), await isOpen(answer.json.access_token)]).toEqual([false, true])
    expect((await login(person, person.password)).status).toBe(401)
    expect((await login(person, NEW_PASSWORD)).status).toBe(200)
    expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
    expect(await listEmails(person, 'password_changed')).toHaveLength(1)
    const again = await reset(token, 'another password')
    expect([again.status, again.code]).toEqual([400, 'password_reset_link_invalid'])
  })

  test('stores no token, and ends all other links', async () => {
    const person = await register(testContext)
    const first = await receiveToken(person)
    await sendResetLink(deps, `password-reset:${crypto.randomUUID()}`, {
      email_key: person.email,
      expires_at: Date.now() + HALF_HOUR_MS,
    })
    const second = (await listEmails(person, 'password_reset')).at(-1)?.content.token ?? ''
    const { rows } = await run('SELECT token_hash FROM password_resets WHERE account_id = ?', person.id)
    expect(rows).toHaveLength(2)
    expect(rows.map(({ token_hash }) => token_hash)).not.toContain(first)
    expect((await reset(first)).status).toBe(200)
    expect((await reset(second)).code).toBe('password_reset_link_invalid')
  })

  test('succeeds once for two concurrent requests with one link', async () => {
    const person = await register(testContext)
    const token = await receiveToken(person)
    const answers = await Promise.all([reset(token), reset(token, 'another password')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('is refused after half an hour', async () => {
    const person = await register(testContext)
    const token = await receiveToken(person)
    await run('UPDATE password_resets SET expires_at = ? WHERE account_id = ?', Date.now() - 1, person.id)
    expect((await reset(token)).code).toBe('password_reset_link_invalid')
  })

  test('is refused after a password change', async () => {
    const person = await register(testContext)
    const token = await receiveToken(person)
    const body = { current_password: person.password, new_password: NEW_PASSWORD }
    expect((await call('POST', PATH, { token: person.token, body })).status).toBe(200)
    expect((await reset(token)).code).toBe('password_reset_link_invalid')
  })

  test('refuses a weak password and keeps the link', async () => {
    const person = await register(testContext)
    const token = await receiveToken(person)
    for (const weak of ['Password1', person.email, '1234567']) {
      const answer = await reset(token, weak)
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'new_password']])
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('is refused for a blocked account, which also gets no email', async () => {
    const person = await register(testContext)
    const token = await receiveToken(person)
    await run('UPDATE accounts SET blocked_at = 1 WHERE id = ?', person.id)
    expect((await reset(token)).code).toBe('account_blocked')
    await sendResetLink(deps, 'password-reset:blocked', {
      email_key: person.email,
      expires_at: Date.now() + HALF_HOUR_MS,
    })
    expect(await listEmails(person, 'password_reset')).toHaveLength(1)
  })

  test('does not confirm the address or pay the welcome grant', async () => {
    const person = await register(testContext)
    const { json } = await reset(await receiveToken(person))
    expect(json.user.email_verified).toBe(false)
    const balance = await call('GET', '/api/v1/billing/balance', { token: json.access_token })
    expect(balance.json.balance).toBe(20)
  })

  test('of an unconfirmed address ends every way into the account that a stranger may have made', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const job = await submit(testContext, person)
    const { path } = await makeLink(testContext, person)
    const { json } = await reset(await receiveToken(person))
    expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(401)
    expect((await call('GET', path)).status).toBe(410)
    await testContext.settled()
    const owner = { ...person, token: json.access_token }
    expect(await showJob(testContext, owner, job)).toMatchObject({ status: 'canceled', final_cost: 0 })
  })

  test('sets the first password of an account that was made by the identity provider', async () => {
    const person = await register(testContext)
    await run('UPDATE accounts SET password_hash = NULL WHERE id = ?', person.id)
    const token = await receiveToken(person)
    expect((await listEmails(person, 'password_reset')).at(-1)?.content.has_password).toBe(false)
    expect((await reset(token)).json.user.has_password).toBe(true)
    expect((await login(person, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('a request for a link', () => {
  test('gets the same response for an unknown address, and sends nothing', async () => {
    const person = await register(testContext)
    const unknown = { ...person, email: `${crypto.randomUUID()}@example.com` }
    const [known, other] = [
      await request(testContext, person.email),
      await request(testContext, unknown.email),
    ]
    await testContext.settled()
    expect([known.status, known.text]).toEqual([202, other.text])
    expect(other.status).toBe(202)
    expect(await listEmails(unknown, 'password_reset')).toEqual([])
    expect(await listEmails(person, 'password_reset')).toHaveLength(1)
  })

  test('sends one email if its effect is repeated', async () => {
    const person = await register(testContext)
    const requested = { email_key: person.email, expires_at: Date.now() + HALF_HOUR_MS }
    const id = `password-reset:${crypto.randomUUID()}`
    await Promise.all([1, 2, 3].map(() => sendResetLink(deps, id, requested)))
    expect(await listEmails(person, 'password_reset')).toHaveLength(1)
  })

  test('is limited per network and address, whether it has an account or not, and per network', async () => {
    const context = await makeLimitedContext()
    const person = await register(context)
    const ip = freshAddress()
    for (const email of [person.email, `${crypto.randomUUID()}@example.com`]) {
      expect((await request(context, email, ip)).status).toBe(202)
      const refused = await request(context, email.toUpperCase(), ip)
      expect([refused.status, refused.code]).toEqual([429, 'too_many_attempts'])
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    const other = freshAddress()
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) {
      statuses.push((await request(context, `${crypto.randomUUID()}@example.com`, other)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(202), 429])
  })

  test('is accepted five times a day for an address from one network, and from another network too', async () => {
    const context = await makeLimitedContext()
    const email = `${crypto.randomUUID()}@example.com`
    const ip = freshAddress()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      statuses.push((await request(context, email, ip)).status)
      context.clock.now += 61_000
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    expect((await request(context, email)).status).toBe(202)
  })

  test('sends no email while the account has three usable links, which the owner can use', async () => {
    const person = await register(testContext)
    const requested = { email_key: person.email, expires_at: Date.now() + HALF_HOUR_MS }
    const send = () => sendResetLink(deps, `password-reset:${crypto.randomUUID()}`, requested)
    await Promise.all([1, 2, 3, 4, 5].map(send))
    const emails = await listEmails(person, 'password_reset')
    expect(emails).toHaveLength(3)
    const oldest = 'SELECT min(request_id) FROM password_resets WHERE account_id = ?'
    await run(`UPDATE password_resets SET expires_at = 1 WHERE request_id = (${oldest})`, person.id)
    await send()
    expect(await listEmails(person, 'password_reset')).toHaveLength(4)
    expect(
      (await reset((await listEmails(person, 'password_reset')).at(-1)?.content.token ?? '')).status,
    ).toBe(200)
  })

  test('requires the captcha where one is configured, and a mail server', async () => {
    const keys = { CAPTCHA_SECRET_KEY: 'secret', CAPTCHA_SITE_KEY: 'site' }
    const guarded = await request(makeTestContext(keys), 'ada@example.com')
    expect([guarded.status, guarded.code]).toEqual([400, 'captcha_required'])
    const silent = await request(makeTestContext({ SMTP_HOST: undefined }), 'ada@example.com')
    expect([silent.status, silent.code]).toEqual([503, 'password_reset_unavailable'])
  })
})

test('an unconfirmed address gets no email about a changed password; a confirmed one does', async () => {
  const person = await register(testContext)
  const change = (current_password: string, new_password: string) =>
    call('POST', PATH, { token: person.token, body: { current_password, new_password } })
  expect((await change(person.password, NEW_PASSWORD)).status).toBe(200)
  expect(await listEmails(person, 'password_changed')).toEqual([])
  await confirm(person)
  expect((await change(NEW_PASSWORD, 'a third password')).status).toBe(200)
  expect(await listEmails(person, 'password_changed')).toHaveLength(1)
})
