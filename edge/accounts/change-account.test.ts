import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { register } from '../../test/edge/worker/people.ts'
import { outbox } from '../tables.ts'

const testContext = makeTestContext({ SMTP_HOST: 'mail.example.com', SMTP_SECURE: 'none' })
const { call, deps } = testContext
const ME = '/api/v1/auth/me'

/** Asks for a confirmation code. @returns the language of its email */
async function codeLanguage({ id, token }: { id: number; token: string }): Promise<unknown> {
  expect((await call('POST', '/api/v1/auth/email/send-code', { token })).status).toBe(200)
  const [email] = await deps.db
    .select()
    .from(outbox)
    .where(like(outbox.id, `mail:code:${id}:%`))
  return (email?.payload as { locale?: unknown } | undefined)?.locale
}

test('the next email is in the chosen language', async () => {
  const person = await register(testContext)
  const { token } = person
  expect((await call('GET', ME, { token })).json.locale).toBe('en')
  const changed = await call('PATCH', ME, { token, body: { locale: 'uk' } })
  expect([changed.status, changed.json]).toEqual([200, (await call('GET', ME, { token })).json])
  expect(changed.json.locale).toBe('uk')
  expect(await codeLanguage(person)).toBe('uk')
})

test('an empty change keeps the language', async () => {
  const { token } = await register(testContext)
  await call('PATCH', ME, { token, body: { locale: 'ru' } })
  const answer = await call('PATCH', ME, { token, body: {} })
  expect([answer.status, answer.json.locale]).toEqual([200, 'ru'])
})

test.each([{ locale: 'de' }, { locale: null }, { locale: 'uk', is_admin: true }, []])(
  '%j is refused and changes nothing',
  async (body) => {
    const { token } = await register(testContext)
    expect((await call('PATCH', ME, { token, body })).status).toBe(422)
    expect((await call('GET', ME, { token })).json).toMatchObject({ locale: 'en', is_admin: false })
  },
)

test('a session that has ended changes nothing', async () => {
  const person = await register(testContext)
  const body = { email: person.email, password: person.password }
  const other = (
    await call('POST', '/api/v1/auth/login', { body, headers: { 'cf-connecting-ip': freshAddress() } })
  ).json.access_token
  // Another isolate has the session in its cache.
  const elsewhere = makeTestContext()
  expect((await elsewhere.call('GET', ME, { token: person.token })).status).toBe(200)
  await call('POST', '/api/v1/auth/logout', { token: person.token })
  const late = await elsewhere.call('PATCH', ME, { token: person.token, body: { locale: 'uk' } })
  expect(late.status).toBe(401)
  expect((await call('GET', ME, { token: other })).json.locale).toBe('en')
})
