import { describe, expect, test } from 'vitest'
import { makeBot } from '../../test/edge/worker/bots.ts'
import { makeFormContext } from '../../test/edge/worker/feedback.ts'
import { query } from '../../test/edge/worker/records.ts'
import { sendEffects } from '../platform/outbox/send.ts'

describe('a message with a chat configured', () => {
  const CHAT = '-1001234567890'
  const makeChatContext = async (overrides: object = {}) => {
    const { settings, calls, fail } = makeBot()
    const chat = { ...settings, FEEDBACK_CHAT_ID: CHAT, FEEDBACK_EMAIL: undefined }
    return { ...(await makeFormContext({}, { ...chat, ...overrides })), calls, fail }
  }

  test('is sent to the chat and by email, with its details', async () => {
    const { send, emails, settled, calls } = await makeChatContext({ FEEDBACK_EMAIL: 'people@example.com' })
    const message = `Where is <b>the</b> button? https://example.com/a ${crypto.randomUUID()}`
    expect((await send({ body: { message, contact: 'ada', page: '/studio', error: 'none' } })).status).toBe(
      202,
    )
    await settled()
    expect(emails).toHaveLength(1)
    const [sent, ...others] = await calls()
    expect(others).toEqual([])
    expect(sent).toMatchObject({ method: 'sendMessage', fields: { chat_id: CHAT } })
    for (const line of [message, 'From: a visitor', 'Contact: ada', 'Page: /studio', 'Error: none'])
      expect(sent?.fields.text).toContain(line)
    expect(sent?.fields.text).toMatch(/^At: \d{4}-\d\d-\d\dT08:00/m)
    expect(sent?.fields.parse_mode).toBeUndefined()
  })

  test('is sent without a mail server, in parts when it is too long', async () => {
    const { send, settled, calls } = await makeChatContext({ SMTP_HOST: undefined })
    const body = { message: '😀'.repeat(2000), error: 'é'.repeat(2000), contact: 'ada' }
    expect((await send({ body })).status).toBe(202)
    await settled()
    const texts = (await calls()).map(({ fields }) => fields.text ?? '').toSorted()
    expect(texts.map((text) => text.slice(0, 6))).toEqual(['(1/2)\n', '(2/2)\n'])
    const whole = texts.map((text) => text.slice(6)).join('')
    for (const detail of [body.message, body.error, 'Contact: ada']) expect(whole).toContain(detail)
  })

  test('stays in the outbox until the messenger accepts it', async () => {
    const testContext = await makeChatContext()
    await testContext.fail({ method: 'sendMessage', status: 403, description: 'bot was kicked', times: 1 })
    const message = `A message that comes late. ${crypto.randomUUID()}`
    expect((await testContext.send({ body: { message } })).status).toBe(202)
    await testContext.settled()
    const find = () => query(testContext, 'SELECT * FROM outbox WHERE payload LIKE ?', `%${message}%`)
    const [row] = await find()
    expect([row?.kind, await testContext.calls()]).toEqual(['feedback', []])
    const effect = {
      id: String(row?.id),
      kind: 'feedback',
      payload: JSON.parse(String(row?.payload)),
    } as const
    await sendEffects(testContext.deps, [effect])
    expect((await testContext.calls()).map(({ fields }) => fields.text)).toEqual([
      expect.stringContaining(message),
    ])
    expect(await find()).toEqual([])
  })
})
