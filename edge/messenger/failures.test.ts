import { describe, expect, test } from 'vitest'
import { type BotContext, makeBotContext, ROUND } from '../../test/edge/worker/bots.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { query } from '../../test/edge/worker/records.ts'
import { claimDueEffect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { outboxOf, prepareDelivery, repliesOf, videosOf } from './testing/delivery-links.ts'

const MINUTE_MS = 60_000

/** Advances the clock and sends this bot's due effects, like the scheduled handler. */
async function runLater(testContext: BotContext, ms: number): Promise<unknown> {
  testContext.clock.now += ms
  await query(
    testContext,
    'UPDATE outbox SET due_at = 1 WHERE id LIKE ?',
    `messenger:${testContext.bot.id}:%`,
  )
  for (const { id } of await outboxOf(testContext)) {
    const effect = await claimDueEffect(testContext.deps.db, testContext.clock.now, String(id))
    const failure = effect && (await sendEffects(testContext.deps, [effect]).catch((error) => error))
    if (failure !== undefined) return failure
  }
}

describe('a failure of the messenger', () => {
  test('that is temporary is retried, and the video is sent once', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    await testContext.fail({ method: 'sendVideoNote', status: 502, description: 'Bad Gateway', times: 2 })
    await testContext.write(start)
    expect(await outboxOf(testContext)).toHaveLength(1)
    expect(String(await runLater(testContext, MINUTE_MS))).toContain('502')
    expect(await videosOf(testContext)).toEqual([])
    expect(await runLater(testContext, MINUTE_MS)).toBeUndefined()
    expect(await videosOf(testContext)).toHaveLength(1)
    expect(await outboxOf(testContext)).toEqual([])
    expect(await repliesOf(testContext)).toEqual([])
  })

  test('that is permanent is reported in the chat, and the link stays valid', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    const description = 'Bad Request: VOICE_MESSAGES_FORBIDDEN'
    await testContext.fail({ method: 'sendVideoNote', status: 400, description, times: 1 })
    await testContext.write(start)
    expect(await repliesOf(testContext)).toEqual([expect.stringMatching(/rejected the video/)])
    expect(await outboxOf(testContext)).toEqual([])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('that lasts for fifteen minutes is reported in the chat', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    await testContext.fail({ method: 'sendVideoNote', status: 500, description: 'Internal', times: 2 })
    await testContext.write(start)
    expect(await runLater(testContext, 15 * MINUTE_MS)).toBeUndefined()
    expect(await repliesOf(testContext)).toEqual([expect.stringMatching(/could not be sent/)])
    expect(await outboxOf(testContext)).toEqual([])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('because the bot was blocked is ignored', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    const description = 'Forbidden: bot was blocked by the user'
    await testContext.fail({ method: 'sendVideoNote', status: 403, description, times: 1 })
    await testContext.write(start)
    expect([await testContext.calls(), await outboxOf(testContext)]).toEqual([[], []])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('never reveals the token of the bot', async () => {
    const token = '5:unknown-token-of-nobody'
    const bots = [{ id: 5, username: 'some_bot', token, secret: 'x'.repeat(20) }]
    const testContext = await makeBotContext({ MESSENGER_BOTS: JSON.stringify(bots) })
    const { messenger } = testContext.deps
    const [bot] = messenger?.bots ?? []
    if (bot === undefined) throw new Error('there is no bot')
    const refused = await messenger?.sendMessage(bot, 1, 'x').catch((error) => error)
    const nowhere = makeTestContext({
      MESSENGER_BOTS: JSON.stringify(bots),
      TELEGRAM_API_URL: 'http://127.0.0.1:9',
    })
    const silent = await nowhere.deps.messenger?.sendMessage(bot, 1, 'x').catch((error) => error)
    const content = new Blob([ROUND]).stream()
    const video = { content, size_bytes: ROUND.length, diameter: 640, duration_seconds: 1 }
    const unsent = await nowhere.deps.messenger?.sendVideoNote(bot, 1, video).catch((error) => error)
    for (const error of [refused, silent, unsent]) {
      expect(error).toMatchObject({ name: 'MessengerError', reason: 'later' })
      expect(`${error.stack}`).not.toContain(token)
    }
  })

  test('starts no new attempt while one may still be running', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    await testContext.fail({ method: 'sendVideoNote', status: 500, description: 'Internal', times: 1 })
    await testContext.write(start)
    const [row] = await outboxOf(testContext)
    const until = testContext.clock.now + 10 * MINUTE_MS
    await query(
      testContext,
      'UPDATE messenger_links SET claimed_until = ? WHERE bot_id = ?',
      until,
      testContext.bot.id,
    )
    expect(String(await runLater(testContext, MINUTE_MS))).toContain('under way')
    expect([await videosOf(testContext), await outboxOf(testContext)]).toEqual([[], [row]])
    expect(await runLater(testContext, 10 * MINUTE_MS)).toBeUndefined()
    expect(await videosOf(testContext)).toHaveLength(1)
  })
})
