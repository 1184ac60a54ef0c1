import { describe, expect, test } from 'vitest'
import { BROWSER, FEEDBACK_PATH, freshNetwork, makeFormContext } from '../../test/edge/worker/feedback.ts'
import { register } from '../../test/edge/worker/people.ts'

const HOUR_MS = 60 * 60_000

const without = (name: keyof typeof BROWSER) => ({ [name]: '' })

describe('the honeypot', () => {
  test('is refused with 400 without naming the reason; an empty field is accepted', async () => {
    const { send, emails, settled } = await makeFormContext()
    const answer = await send({ body: { website: 'https://spam.example' } })
    expect([answer.status, answer.json.code]).toEqual([400, 'feedback_rejected'])
    expect((await send({ body: { website: ' ' } })).status).toBe(202)
    await settled()
    expect(emails).toHaveLength(1)
  })
})

describe('without an account', () => {
  test.each([
    ['no Origin', without('origin')],
    ['no Sec-Fetch-Site', without('sec-fetch-site')],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is 401', async (_name, headers) => {
    const { send } = await makeFormContext()
    const answer = await send({ headers })
    expect([answer.status, answer.json.code]).toEqual([401, 'feedback_outside_site'])
  })

  test.each([
    ['none', undefined],
    ['nonsense', 'a.b.c'],
    ['unsigned', `${Date.UTC(2050, 0, 1).toString(36)}.abc.${'A'.repeat(43)}`],
  ])('a form token is 401 when it is %s', async (_name, form_token) => {
    const { send } = await makeFormContext()
    expect((await send({ body: { form_token } })).status).toBe(401)
  })

  test('a form is valid from 3 seconds to two hours', async () => {
    const { call, clock } = await makeFormContext()
    const headers = { 'cf-connecting-ip': `${freshNetwork()}::1` }
    const form = (await call('GET', `${FEEDBACK_PATH}/token`, { headers })).json
    expect(form).toMatchObject({ not_before_seconds: 3, expires_in: 7200 })
    const begun = clock.now
    const statusAfter = async (ms: number) => {
      clock.now = begun + ms
      const body = { message: `After some time. ${crypto.randomUUID()}`, form_token: form.form_token }
      const headers = { ...BROWSER, 'cf-connecting-ip': `${freshNetwork()}::1` }
      return (await call('POST', FEEDBACK_PATH, { body, headers })).status
    }
    expect([
      await statusAfter(2999),
      await statusAfter(3000),
      await statusAfter(2 * HOUR_MS),
      await statusAfter(2 * HOUR_MS + 1),
    ]).toEqual([401, 202, 202, 401])
  })

  test('an invalid credential is 401 of its own', async () => {
    const { call } = await makeFormContext()
    const headers = { 'cf-connecting-ip': `${freshNetwork()}::1` }
    const body = { message: 'x'.repeat(20) }
    expect((await call('POST', FEEDBACK_PATH, { key: 'mk_nobody', body, headers })).status).toBe(401)
  })
})

describe('the message text', () => {
  test.each([
    ['x'.repeat(9), 422],
    [`   ${'x'.repeat(9)}   `, 422],
    ['x'.repeat(2001), 422],
    ['😀'.repeat(2000), 202],
  ])('%#: an allowed length is accepted', async (message, status) => {
    const { send } = await makeFormContext()
    const answer = await send({ body: { message } })
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.faults[0]).toMatchObject({ loc: ['body', 'message'] })
  })

  test.each([
    [{ message: 7 }, 'message'],
    [{ message: undefined }, 'message'],
    [{ contact: 'x'.repeat(201) }, 'contact'],
    [{ page: 'x'.repeat(501) }, 'page'],
    [{ error: 'x'.repeat(2001) }, 'error'],
  ])('%# is 422', async (body, field) => {
    const { send } = await makeFormContext()
    const answer = await send({ body })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test.each([
    ['two links are fine: https://a.example and www.b.example', undefined, 202],
    ['three are too many: https://a.example http://b.example www.c.example', undefined, 400],
    ['a third one in the contact counts too: https://a.example http://b.example', 'ftp://c.example', 400],
  ])('%s', async (message, contact, status) => {
    const { send } = await makeFormContext()
    expect((await send({ body: { message, contact } })).status).toBe(status)
  })
})

describe('a repeated message', () => {
  test('is 400 for the rest of the day from any sender, and accepted the next day', async () => {
    const testContext = await makeFormContext()
    const person = await register(testContext)
    const message = `Exactly the same words. ${crypto.randomUUID()}`
    expect((await testContext.send({ body: { message } })).status).toBe(202)
    const again = await testContext.send({ body: { message: ` ${message}\n` } })
    expect([again.status, again.json.code]).toEqual([400, 'duplicate_message'])
    expect((await testContext.send({ from: person, body: { message } })).status).toBe(400)
    testContext.clock.now = testContext.next_day + 1000
    expect((await testContext.send({ body: { message } })).status).toBe(202)
  })

  test('is accepted once under concurrent requests', async () => {
    const testContext = await makeFormContext()
    const message = `All at once. ${crypto.randomUUID()}`
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => testContext.send({ body: { message } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400, 400])
    await testContext.settled()
    expect(testContext.emails).toHaveLength(1)
  })
})

describe('the checks', () => {
  test('run in their documented order', async () => {
    const testContext = await makeFormContext({ feedback_per_hour: 1 })
    const message = `Known already. ${crypto.randomUUID()}`
    expect((await testContext.send({ body: { message } })).status).toBe(202)
    testContext.deps.env.FEEDBACK_EMAIL = undefined
    const links = 'http://a.example http://b.example http://c.example'
    const statuses = []
    // Each request passes all earlier checks and would also fail the next one.
    for (const [body, headers] of [
      [{ message: 'short', website: 'x' }, without('origin')],
      [{ message: 'short' }, without('origin')],
      [{ message: links }, {}],
      [{ message }, {}],
      [{}, {}],
    ] as const) {
      const { status, json } = await testContext.send({ body, headers })
      statuses.push([status, json.code])
    }
    expect(statuses).toEqual([
      [400, 'feedback_rejected'],
      [401, 'feedback_outside_site'],
      [400, 'too_many_links'],
      [400, 'duplicate_message'],
      [429, 'too_many_messages'],
    ])
    testContext.clock.now += HOUR_MS
    expect((await testContext.send({})).status).toBe(503)
  })
})
