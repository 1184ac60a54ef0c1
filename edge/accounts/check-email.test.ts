import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext
const CHECK = '/api/v1/auth/email/check'
const REGISTER = '/api/v1/auth/register'
const fresh = (domain: string) => `${crypto.randomUUID()}@${domain}`

describe('email check', () => {
  test.each([
    ['mail.example.org', true, 'ok'],
    ['www.example.org', true, 'ok'],
    ['MAIL.Example.ORG', true, 'ok'],
    ['пошта.example.org', true, 'ok'],
    ['nowhere.example.org', false, 'no_domain'],
    ['empty.example.org', false, 'no_domain'],
    ['no-mail.example.org', false, 'no_domain'],
    ['broken.example.org', true, 'unknown'],
    ['mailinator.com', false, 'disposable'],
    ['deep.under.mailinator.com', false, 'disposable'],
    ['nowhere.invalid', false, 'no_domain'],
    ['localhost', false, 'invalid'],
  ])('gives the verdict for %s', async (domain, acceptable, verdict) => {
    const answer = await call('POST', CHECK, { body: { email: fresh(domain) } })
    expect([answer.status, answer.json]).toEqual([200, { acceptable, verdict }])
  })

  test.each(['', 'ada', 'a@b@c', 'ada@example.com\r\nBcc: x@example.com', '"><script>@example.com'])(
    '%j is an invalid address, not a request error',
    async (email) => {
      const answer = await call('POST', CHECK, { body: { email } })
      expect([answer.status, answer.json]).toEqual([200, { acceptable: false, verdict: 'invalid' }])
    },
  )

  test('gives the same result whether or not the address has an account', async () => {
    const { email } = await register(testContext)
    const known = await call('POST', CHECK, { body: { email } })
    const unknown = await call('POST', CHECK, { body: { email: fresh('example.com') } })
    expect(known.json).toEqual(unknown.json)
  })

  test.each([
    ['cannot be reached', 'http://127.0.0.1:9/dns'],
    [
      'responds with something other than JSON',
      `${String(Reflect.get(testContext.env, 'INTERNET_URL'))}/nobody/hook`,
    ],
    ['is not configured', ''],
  ])('the verdict is unknown and the address acceptable when the resolver %s', async (_name, DNS_URL) => {
    const answer = await makeTestContext({ DNS_URL }).call('POST', CHECK, {
      body: { email: fresh('example.com') },
    })
    expect(answer.json).toEqual({ acceptable: true, verdict: 'unknown' })
  })
})

describe('registration', () => {
  test.each(['nowhere.example.org', 'mailinator.com', 'no-mail.example.org'])(
    'refuses an address at %s, with the location in the body',
    async (domain) => {
      const answer = await call('POST', REGISTER, {
        body: { email: fresh(domain), password: 'correct horse battery' },
      })
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'email']])
    },
  )

  test('accepts an address whose domain cannot be looked up', async () => {
    const body = { email: fresh('broken.example.org'), password: 'correct horse battery' }
    expect((await call('POST', REGISTER, { body })).status).toBe(201)
  })

  test.each([
    ['uk-UA,uk;q=0.9,en;q=0.8', 'uk'],
    ['de', 'en'],
  ])('stores the language from %s', async (language, locale) => {
    const body = { email: fresh('example.com'), password: 'correct horse battery' }
    const answer = await call('POST', REGISTER, { body, headers: { 'accept-language': language } })
    expect(answer.json.user.locale).toBe(locale)
  })
})

describe('with a captcha', () => {
  const guarded = makeTestContext({
    CAPTCHA_SITE_KEY: 'site-key',
    CAPTCHA_SECRET_KEY: 'captcha-secret',
    CAPTCHA_VERIFY_URL: `${String(Reflect.get(testContext.env, 'INTERNET_URL'))}/captcha`,
  })
  const tokens = [
    ['missing', undefined, 400],
    ['empty', '', 400],
    ['not solved', 'guessed', 400],
    ['not to be judged', 'out-of-order', 503],
    ['solved for another form', 'solved:reset', 400],
    ['solved on a page of another host', 'solved:register:phishing.example', 400],
    ['solved', 'solved', null],
  ] as const

  test.each(tokens)('registration is judged by its token: %s', async (_name, captcha_token, refusal) => {
    const body = { email: fresh('example.com'), password: 'correct horse battery', captcha_token }
    expect((await guarded.call('POST', REGISTER, { body })).status).toBe(refusal ?? 201)
  })

  test.each(tokens)('sign-in is judged by its token: %s', async (_name, token, refusal) => {
    const { email, password } = await register(testContext)
    const body = { email, password, captcha_token: token === 'solved' ? 'solved:login' : token }
    expect((await guarded.call('POST', '/api/v1/auth/login', { body })).status).toBe(refusal ?? 200)
  })

  test('an unsolved captcha is refused before the address is checked', async () => {
    const body = { email: fresh('mailinator.com'), password: 'correct horse battery', captcha_token: 'x' }
    expect((await guarded.call('POST', REGISTER, { body })).status).toBe(400)
  })
})
