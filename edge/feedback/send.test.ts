import { describe, expect, test } from 'vitest'
import { FEEDBACK_PATH, freshNetwork, makeFormContext } from '../../test/edge/worker/feedback.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'

describe('a message', () => {
  test('of a visitor is accepted with 202 and emailed to the feedback address', async () => {
    const { send, emails, settled } = await makeFormContext()
    const message = `The <b>button</b> does nothing.\nSee https://example.com/a ${crypto.randomUUID()}`
    const body = { message, contact: 'ada@example.com', page: '/studio?x=1', error: 'TypeError: "x" & <y>' }
    const answer = await send({ body })
    expect([answer.status, answer.json]).toEqual([202, { ok: true }])
    await settled()
    expect(emails).toHaveLength(1)
    const [email] = emails
    expect(email?.to).toBe('people@example.com')
    expect(email?.subject).toMatch(/^Feedback on .*: The <b>button<\/b> does nothing\. See https:/)
    for (const detail of [message, 'ada@example.com', '/studio?x=1', 'TypeError: "x" & <y>', 'a visitor']) {
      expect(email?.text).toContain(detail)
    }
    expect(email?.html).toContain('The &lt;b&gt;button&lt;/b&gt;')
    expect(email?.html).not.toContain('<b>button')
  })

  test('of an account names the account and needs no form token', async () => {
    const testContext = await makeFormContext()
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const body = { message: `Written by a program. ${crypto.randomUUID()}` }
    expect((await testContext.call('POST', FEEDBACK_PATH, { key, body })).status).toBe(202)
    await testContext.settled()
    expect(testContext.emails[0]?.text).toContain(`From: ${person.email} (account ${person.id})`)
  })

  test('is in the outbox once accepted, and stored nowhere else', async () => {
    const testContext = await makeFormContext()
    const { mailer } = testContext.deps
    if (mailer !== null) {
      mailer.send = () => Promise.reject(new Error('the mail server is down'))
    }
    const message = `A message that takes its time. ${crypto.randomUUID()}`
    expect((await testContext.send({ body: { message } })).status).toBe(202)
    await testContext.settled()
    const rows = await query(
      testContext,
      "SELECT id FROM outbox WHERE kind = 'mail' AND payload LIKE ?",
      `%${message}%`,
    )
    expect(rows).toMatchObject([{ id: expect.stringMatching(/^mail:feedback:/) }])
    const kept = await query(testContext, 'SELECT * FROM feedback ORDER BY id DESC LIMIT 1')
    expect(JSON.stringify(kept)).not.toContain('takes its time')
    await query(testContext, 'DELETE FROM outbox WHERE id = ?', String(rows[0]?.id))
  })

  test('is 503 without a recipient, and does not count', async () => {
    const ip = `${freshNetwork()}::1`
    for (const missing of [{ FEEDBACK_EMAIL: undefined }, { SMTP_HOST: undefined }]) {
      const { send } = await makeFormContext({}, missing)
      expect((await send({ ip })).status).toBe(503)
      expect((await send({ ip })).status).toBe(503)
    }
  })
})
