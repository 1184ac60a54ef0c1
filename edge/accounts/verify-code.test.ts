import { describe, expect, test } from 'vitest'
import { depsAt, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { authenticate } from './authenticate.ts'
import type { SessionCaller } from './rules/caller.ts'
import { sendCode } from './send-code.ts'
import { showEmailStatus } from './show-email-status.ts'
import { verifyCode } from './verify-code.ts'

const testContext = makeTestContext()
const { call } = testContext
const MINUTE_MS = 60_000
const EMAIL = '/api/v1/auth/email'

/** Reads the code from the outbox. The newest email stays there because there is no mail server. */
async function readCode({ id }: Person): Promise<string> {
  const { rows } = await testContext.deps.db.$client.execute({
    sql: `SELECT payload FROM outbox WHERE id LIKE ? ORDER BY created_at DESC, id DESC LIMIT 1`,
    args: [`mail:code:${id}:%`],
  })
  return JSON.parse(String(rows[0]?.payload)).content.code
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const verify = ({ token }: Person, code: string) => call('POST', `${EMAIL}/verify`, { token, body: { code } })
const send = ({ token }: Person) => call('POST', `${EMAIL}/send-code`, { token })

/** Creates services with a test clock and authenticates the account with them. */
async function withClock(person: Person) {
  const clock = { time: Date.now(), now: () => clock.time }
  const deps = depsAt(testContext, clock)
  const caller = (await authenticate(deps, { from: 'bearer', text: person.token }))?.caller as SessionCaller
  return { clock, deps, caller }
}

describe('email verification', () => {
  test('pays the welcome grant for 90 days, once, and shows on the account immediately', async () => {
    const person = await register(testContext)
    const before = await call('GET', `${EMAIL}/status`, { token: person.token })
    expect(before.json).toEqual({
      email: person.email,
      email_verified: false,
      code_pending: false,
      resend_available_in: 0,
      verify_bonus_credits: 50,
    })
    const sent = await send(person)
    expect([sent.status, sent.json]).toEqual([
      200,
      { ...before.json, code_pending: true, resend_available_in: 60 },
    ])
    const answer = await verify(person, await readCode(person))
    expect([answer.status, answer.json]).toEqual([200, { email_verified: true, granted_credits: 50 }])
    expect((await call('GET', '/api/v1/auth/me', { token: person.token })).json.email_verified).toBe(true)
    const { entries, check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: 70 })
    const [bonus] = entries
    expect(bonus).toMatchObject({ entry_type: 'signup_bonus', amount: 50 })
    const ninety_days_ms = 90 * 24 * 60 * MINUTE_MS
    const lives_ms = timeOf(bonus?.expires_at) - timeOf(bonus?.created_at)
    expect(Math.abs(lives_ms - ninety_days_ms)).toBeLessThan(1000)
    const again = await verify(person, '000000')
    expect([again.status, again.json]).toEqual([200, { email_verified: true, granted_credits: 0 }])
    expect((await send(person)).status).toBe(409)
    expect((await call('GET', `${EMAIL}/status`, { token: person.token })).json).toMatchObject({
      email_verified: true,
      code_pending: false,
      verify_bonus_credits: 0,
    })
  })

  test('pays one grant for concurrent correct codes', async () => {
    const person = await register(testContext)
    await send(person)
    const code = await readCode(person)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(person, code)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const granted = answers.map(({ json }) => json.granted_credits).filter((credits) => credits > 0)
    expect(granted).toEqual([50])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 70 })
  })

  test('completes on the next attempt when it was interrupted after the correct code', async () => {
    const person = await register(testContext)
    await send(person)
    const sql = 'UPDATE email_codes SET used_at = ? WHERE account_id = ?'
    await testContext.deps.db.$client.execute({ sql, args: [Date.now(), person.id] })
    const answer = await verify(person, await readCode(person))
    expect([answer.status, answer.json]).toEqual([200, { email_verified: true, granted_credits: 50 }])
  })

  test('makes an account in ADMIN_EMAILS an administrator', async () => {
    const person = await register(testContext)
    const named = makeTestContext({ ADMIN_EMAILS: person.email })
    await send(person)
    const body = { code: await readCode(person) }
    await named.call('POST', `${EMAIL}/verify`, { token: person.token, body })
    expect((await named.call('GET', '/api/v1/auth/me', { token: person.token })).json.is_admin).toBe(true)
  })
})

describe('guesses', () => {
  test('are limited to five, even concurrent ones; afterwards the correct code is refused too', async () => {
    const person = await register(testContext)
    await send(person)
    const code = await readCode(person)
    const answers = await Promise.all(Array.from({ length: 30 }, () => verify(person, wrong(code))))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
    const refused = await verify(person, code)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('report how many are left', async () => {
    const person = await register(testContext)
    await send(person)
    const code = await readCode(person)
    expect((await verify(person, wrong(code))).json).toMatchObject({
      code: 'wrong_confirmation_code',
      detail: expect.stringContaining('4 attempts'),
    })
    expect((await verify(person, code)).status).toBe(200)
  })

  test('are refused when no code was sent', async () => {
    expect((await verify(await register(testContext), '123456')).status).toBe(400)
  })

  test.each(['12345', '1234567', '12345a', '１２３４５６', ' 123456', ''])(
    '%j is refused as malformed',
    async (code) => {
      expect((await verify(await register(testContext), code)).status).toBe(422)
    },
  )

  test('refuse the code of another account', async () => {
    const [ada, bob] = [await register(testContext), await register(testContext)]
    await send(ada)
    await send(bob)
    const [hers, his] = [await readCode(ada), await readCode(bob)]
    if (hers !== his) expect((await verify(bob, hers)).status).toBe(400)
    expect((await verify(bob, his)).status).toBe(200)
  })
})

describe('sending codes', () => {
  test('sends one email for concurrent requests; the others report when to retry', async () => {
    const person = await register(testContext)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)])
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  test('is allowed once per minute and five times in 24 hours; a new code voids the previous one', async () => {
    const person = await register(testContext)
    const { clock, deps, caller } = await withClock(person)
    let first = ''
    for (const count of [1, 2, 3, 4, 5]) {
      expect((await sendCode(deps, caller)).code_pending).toBe(true)
      if (count === 1) first = await readCode(person)
      clock.time += 59_000
      await expect(sendCode(deps, caller)).rejects.toMatchObject({ status: 429 })
      clock.time += 1000
    }
    const newest = await readCode(person)
    if (first !== newest) await expect(verifyCode(deps, caller, first)).rejects.toMatchObject({ status: 400 })
    await expect(sendCode(deps, caller)).rejects.toMatchObject({ status: 429 })
    const { resend_available_in } = await showEmailStatus(deps, caller)
    expect(resend_available_in).toBe(24 * 60 * 60 - 5 * 60)
    clock.time += resend_available_in * 1000
    expect((await sendCode(deps, caller)).resend_available_in).toBeGreaterThanOrEqual(60)
  })

  test('a code is valid for 15 minutes', async () => {
    const person = await register(testContext)
    const { clock, deps, caller } = await withClock(person)
    await sendCode(deps, caller)
    const code = await readCode(person)
    clock.time += 15 * MINUTE_MS
    expect((await showEmailStatus(deps, caller)).code_pending).toBe(false)
    await expect(verifyCode(deps, caller, code)).rejects.toMatchObject({ status: 400 })
    await sendCode(deps, caller)
    clock.time += 15 * MINUTE_MS - 1
    expect(await verifyCode(deps, caller, await readCode(person))).toMatchObject({ granted_credits: 50 })
  })

  test('is refused without a mail server', async () => {
    const { token } = await register(testContext)
    const answer = await makeTestContext({ SMTP_HOST: undefined }).call('POST', `${EMAIL}/send-code`, {
      token,
    })
    expect(answer.status).toBe(503)
  })
})

test('a sent code is stored only as a keyed hash', async () => {
  const person = await register(testContext)
  await send(person)
  const code = await readCode(person)
  const { rows } = await testContext.deps.db.$client.execute({
    sql: 'SELECT * FROM email_codes WHERE account_id = ?',
    args: [person.id],
  })
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
})
