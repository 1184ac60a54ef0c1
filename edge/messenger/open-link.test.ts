import { describe, expect, test } from 'vitest'
import { makeBotContext, makeRoundVideo, ROUND } from '../../test/edge/worker/bots.ts'
import { register } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { createStartToken, outboxOf, prepareDelivery, repliesOf, videosOf } from './testing/delivery-links.ts'

describe('a delivery link that is opened', () => {
  test('sends the whole round video and is used up', async () => {
    const testContext = await makeBotContext()
    const { person, job_id, start } = await prepareDelivery(testContext)
    await testContext.write(start, { chat_id: 42 })
    expect(await testContext.calls()).toEqual([
      {
        method: 'sendVideoNote',
        fields: { chat_id: '42', length: '640', duration: '12' },
        file: { bytes: 30_012, content_type: 'video/mp4' },
      },
    ])
    expect(await outboxOf(testContext)).toEqual([])
    const usage = await testContext.call('GET', '/api/v1/me/usage?action=deliver', { token: person.token })
    expect(usage.json).toMatchObject([{ action: 'deliver', source: 'web', job_id, credits: 0 }])
    await testContext.write(start, { chat_id: 43 })
    expect(await repliesOf(testContext)).toEqual([expect.stringMatching(/already been used/)])
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('sends a long video as a stream', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const content = new Uint8Array(12_000_000)
    content.set(ROUND)
    const job_id = await makeRoundVideo(testContext, person, { content })
    await testContext.write(`/start ${await createStartToken(testContext, person, job_id)}`)
    expect(await videosOf(testContext)).toMatchObject([{ file: { bytes: 12_000_000 } }])
  })

  test('sends the video once when the update is redelivered', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    const update = testContext.updateOf(start)
    const headers = { 'x-telegram-bot-api-secret-token': testContext.bot.secret }
    const answers = await Promise.all(Array.from({ length: 4 }, () => testContext.post(update, headers)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await testContext.settled()
    await testContext.post(update, headers)
    await testContext.settled()
    expect(await testContext.calls()).toHaveLength(1)
  })

  test('sends the video once when two people open it concurrently', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    await Promise.all([testContext.write(start, { chat_id: 1 }), testContext.write(start, { chat_id: 2 })])
    await testContext.settled()
    expect(await videosOf(testContext)).toHaveLength(1)
    expect(await repliesOf(testContext)).toEqual([expect.stringMatching(/already been used|being sent/)])
  })

  test.each([
    ['en', /expired/],
    ['uk', /минув/],
    ['ru', /истек/],
    ['uk-UA', /минув/],
    ['de', /expired/],
  ])('replies in the language %s after it has expired', async (language, sentence) => {
    const testContext = await makeBotContext()
    const { start } = await prepareDelivery(testContext)
    await query(
      testContext,
      'UPDATE messenger_links SET expires_at = ? WHERE bot_id = ?',
      testContext.clock.now,
      testContext.bot.id,
    )
    await testContext.write(start, { language })
    expect(await testContext.calls()).toMatchObject([
      { method: 'sendMessage', fields: { text: expect.stringMatching(sentence) } },
    ])
  })

  test.each([
    ['/start nobody-was-given-this', /link is not valid/],
    ['/start', /Request a link there/],
    ['/start two words', /Request a link there/],
    ['hello \ud800', /Request a link there/],
    [`/start ${'x'.repeat(65)}`, /Request a link there/],
  ])('needs a valid start command; %j gets an explanation', async (text, sentence) => {
    const testContext = await makeBotContext()
    await testContext.write(text)
    expect(await repliesOf(testContext)).toEqual([expect.stringMatching(sentence)])
  })

  test('is unknown to another bot', async () => {
    const [testContext, other] = [await makeBotContext(), await makeBotContext()]
    const { start } = await prepareDelivery(testContext)
    await other.write(start)
    expect(await repliesOf(other)).toEqual([expect.stringMatching(/link is not valid/)])
  })

  test('reports that the video was deleted', async () => {
    const testContext = await makeBotContext()
    const { start, job_id } = await prepareDelivery(testContext)
    await testContext.deps.storage.remove([`results/${job_id}/1001/circle.mp4`])
    await testContext.write(start)
    await query(testContext, 'UPDATE jobs SET result = NULL WHERE id = ?', job_id)
    await testContext.write(start)
    const gone = expect.stringMatching(/video has been deleted/)
    expect(await repliesOf(testContext)).toEqual([gone, gone])
  })
})
