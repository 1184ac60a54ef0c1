import { describe, expect, test } from 'vitest'
import { makeBotContext } from '../../test/edge/worker/bots.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { repliesOf } from './testing/delivery-links.ts'

describe('the messenger webhook', () => {
  test.each(['x-telegram-bot-api-secret-token', 'x-messenger-bot-api-secret-token'])(
    'is authenticated by its secret in %s',
    async (header) => {
      const testContext = await makeBotContext()
      const { status, json } = await testContext.post(testContext.updateOf('hello'), {
        [header]: testContext.bot.secret,
      })
      expect([status, json]).toEqual([200, { ok: true }])
      await testContext.settled()
      expect(await repliesOf(testContext)).toHaveLength(1)
    },
  )

  test('is 401 without the secret and does nothing', async () => {
    const testContext = await makeBotContext()
    const { secret } = testContext.bot
    const wrong: Record<string, string>[] = [
      {},
      { 'x-telegram-bot-api-secret-token': '' },
      { 'x-telegram-bot-api-secret-token': secret.slice(1) },
      { 'x-telegram-bot-api-secret-token': `${secret}x` },
      { authorization: `Bearer ${secret}` },
    ]
    for (const headers of wrong) {
      expect((await testContext.post(testContext.updateOf('hello'), headers)).status).toBe(401)
    }
    await testContext.settled()
    expect(await testContext.calls()).toEqual([])
  })

  test('is 404 for an unknown bot and 422 for an invalid bot id or update', async () => {
    const testContext = await makeBotContext()
    const headers = {
      'cf-connecting-ip': freshAddress(),
      'x-telegram-bot-api-secret-token': testContext.bot.secret,
    }
    const post = async (id: string | number, raw: string) =>
      (await testContext.call('POST', `/api/v1/tg/webhook/${id}`, { raw, headers })).status
    expect(await post(testContext.bot.id + 1, '{}')).toBe(404)
    expect(await post('me', '{}')).toBe(422)
    expect(await post('1.5', '{}')).toBe(422)
    for (const raw of ['', 'x', '7', 'null', '[]', '"x"'])
      expect(await post(testContext.bot.id, raw)).toBe(422)
  })

  test('accepts and ignores updates that need no reply', async () => {
    const testContext = await makeBotContext()
    const headers = { 'x-telegram-bot-api-secret-token': testContext.bot.secret }
    const message = testContext.updateOf('/start x').message
    for (const update of [
      {},
      { update_id: 1 },
      { update_id: 2, edited_message: message },
      { update_id: 3, message: { ...message, chat: { id: -5, type: 'group' } } },
      { update_id: 4, my_chat_member: { chat: message.chat } },
      { update_id: 'x', message },
      { update_id: 1e300, message },
    ]) {
      expect((await testContext.post(update, headers)).status).toBe(200)
    }
    await testContext.settled()
    expect(await testContext.calls()).toEqual([])
  })

  test('has its own limit, which refuses nothing, because the messenger uses few addresses', async () => {
    const testContext = await makeBotContext()
    const secret = { 'x-messenger-bot-api-secret-token': testContext.bot.secret }
    const { status, headers } = await testContext.post(testContext.updateOf('hello'), secret)
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"unenforced-minute";q=6000;w=60'])
  })

  test('replies to a chat at most twenty times a minute', { tags: ['extended'] }, async () => {
    const testContext = await makeBotContext()
    for (let count = 0; count < 25; count++) await testContext.write('hello')
    expect(await repliesOf(testContext)).toHaveLength(20)
    await testContext.write('hello', { chat_id: 8 })
    expect(await repliesOf(testContext)).toHaveLength(21)
  })
})
