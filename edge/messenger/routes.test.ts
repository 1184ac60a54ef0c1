import { describe, expect, test } from 'vitest'
import { type BotContext, makeBotContext, makeRoundVideo, ROUND } from '../../test/edge/worker/bots.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { claimDueEffect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'

const DELIVER = '/api/v1/tg/deliver'
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

const deliver = ({ call }: BotContext, { token }: Person, body: object, headers = {}) =>
  call('POST', DELIVER, { token, body, headers })

/** What follows "start=" in a link that must be made. */
async function mint(testContext: BotContext, person: Person, job_id: string): Promise<string> {
  const { status, json, text } = await deliver(testContext, person, { job_id })
  expect(status, text).toBe(200)
  return new URL(json.link).searchParams.get('start') ?? ''
}

async function prepare(testContext: BotContext) {
  const person = await register(testContext)
  const job_id = await makeRoundVideo(testContext, person)
  return { person, job_id, start: `/start ${await mint(testContext, person, job_id)}` }
}

const videosOf = async (testContext: BotContext) =>
  (await testContext.calls()).filter(({ method }) => method === 'sendVideoNote')
const wordsOf = async (testContext: BotContext) =>
  (await testContext.calls()).flatMap(({ method, fields }) => (method === 'sendMessage' ? [fields.text] : []))
const outboxOf = (testContext: BotContext) =>
  query(testContext, 'SELECT id FROM outbox WHERE id LIKE ?', `messenger:${testContext.bot.id}:%`)

/** Carries out what the bot still owes at a later time, as the scheduled handler would; what others owe is theirs. */
async function later(testContext: BotContext, ms: number): Promise<unknown> {
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

describe('a delivery link', () => {
  test('opens the bot, for a day, and is made by a session or a key', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const job_id = await makeRoundVideo(testContext, person)
    for (const credential of [{ token: person.token }, { key }]) {
      const { status, json } = await testContext.call('POST', DELIVER, { ...credential, body: { job_id } })
      expect(status).toBe(200)
      expect(json).toEqual({
        link: expect.stringMatching(
          new RegExp(`^https://t\\.me/${testContext.bot.username}\\?start=[\\w-]{32}$`),
        ),
        bot_username: testContext.bot.username,
        expires_at: expect.any(String),
      })
      expect(Date.parse(json.expires_at) - testContext.clock.now).toBeLessThanOrEqual(DAY_MS)
    }
    const headers = { 'cf-connecting-ip': freshAddress() }
    expect((await testContext.call('POST', DELIVER, { body: { job_id }, headers })).status).toBe(401)
  })

  test('is made once for each Idempotency-Key', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const job_id = await makeRoundVideo(testContext, person)
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [
      await deliver(testContext, person, { job_id }, headers),
      await deliver(testContext, person, { job_id }, headers),
    ]
    expect(second.json).toEqual(first.json)
    const links = await query(testContext, 'SELECT token_hash FROM messenger_links WHERE job_id = ?', job_id)
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links)).not.toContain(new URL(first.json.link).searchParams.get('start'))
  })

  test('is 404 for a job that is unknown or somebody else’s, and for a bot that is unknown', async () => {
    const testContext = await makeBotContext()
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const job_id = await makeRoundVideo(testContext, person)
    expect((await deliver(testContext, stranger, { job_id })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id: 'nothing' })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id, bot_id: 1 })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id, bot_id: testContext.bot.id })).status).toBe(200)
    expect((await deliver(testContext, person, { job_id, bot_id: 'x' })).status).toBe(422)
    expect((await deliver(testContext, person, {})).status).toBe(422)
  })

  test.each([
    [{ operation_key: 'compress' }],
    [{ body: { width: 320 } }],
    [{ body: { width: 1000, height: 1000 } }],
    [{ body: { duration_seconds: 61 } }],
    [{ body: { width: null } }],
    [{ content_type: 'image/gif' }],
  ])('is 409 for what the messenger would not take: %j', async (made) => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const answer = await deliver(testContext, person, {
      job_id: await makeRoundVideo(testContext, person, made),
    })
    expect([answer.status, answer.json.code]).toEqual([409, 'not_deliverable'])
  })

  test('is 409 for a job that runs, that failed, or whose result is gone', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const job_id = await submit(testContext, person)
    await query(testContext, "UPDATE jobs SET operation_key = 'circle' WHERE id = ?", job_id)
    const running = await deliver(testContext, person, { job_id })
    await report(testContext, finished(job_id, FAILED))
    const failed = await deliver(testContext, person, { job_id })
    const old = await makeRoundVideo(testContext, person)
    await query(testContext, 'UPDATE jobs SET result = NULL WHERE id = ?', old)
    const gone = await deliver(testContext, person, { job_id: old })
    expect([running, failed, gone].map(({ status, json }) => [status, json.code])).toEqual([
      [409, 'job_not_done'],
      [409, 'job_not_done'],
      [409, 'result_expired'],
    ])
  })

  test('is 503 where there is no bot', async () => {
    const testContext = makeTestContext()
    const person = await register(testContext)
    const answer = await testContext.call('POST', DELIVER, { token: person.token, body: { job_id: 'x' } })
    expect(answer.status).toBe(503)
  })
})

describe('the webhook', () => {
  test.each(['x-telegram-bot-api-secret-token', 'x-messenger-bot-api-secret-token'])(
    'is opened by its secret in %s',
    async (header) => {
      const testContext = await makeBotContext()
      const { status, json } = await testContext.post(testContext.updateOf('hello'), {
        [header]: testContext.bot.secret,
      })
      expect([status, json]).toEqual([200, { ok: true }])
      await testContext.settled()
      expect(await wordsOf(testContext)).toHaveLength(1)
    },
  )

  test('is 401 without the secret, and does nothing', async () => {
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

  test('is 404 for a bot that is unknown, and 422 for what is no bot and no update', async () => {
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

  test('takes what nobody is to be answered for', async () => {
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

  test('counts on a limit of its own, which refuses nobody: the messenger has few addresses', async () => {
    const testContext = await makeBotContext()
    const secret = { 'x-messenger-bot-api-secret-token': testContext.bot.secret }
    const { status, headers } = await testContext.post(testContext.updateOf('hello'), secret)
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"unenforced-minute";q=6000;w=60'])
  })

  test('answers somebody who writes without end twenty times a minute', async () => {
    const testContext = await makeBotContext()
    for (let count = 0; count < 25; count++) await testContext.write('hello')
    expect(await wordsOf(testContext)).toHaveLength(20)
    await testContext.write('hello', { chat_id: 8 })
    expect(await wordsOf(testContext)).toHaveLength(21)
  })
})

describe('whoever opens the link', () => {
  test('is sent the round video, whole, and the link is used up', async () => {
    const testContext = await makeBotContext()
    const { person, job_id, start } = await prepare(testContext)
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
    expect(await wordsOf(testContext)).toEqual([expect.stringMatching(/already been used/)])
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('is sent a long one too, which is read as it goes', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const content = new Uint8Array(12_000_000)
    content.set(ROUND)
    const job_id = await makeRoundVideo(testContext, person, { content })
    await testContext.write(`/start ${await mint(testContext, person, job_id)}`)
    expect(await videosOf(testContext)).toMatchObject([{ file: { bytes: 12_000_000 } }])
  })

  test('is sent it once, though the messenger tells of it twice', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    const update = testContext.updateOf(start)
    const headers = { 'x-telegram-bot-api-secret-token': testContext.bot.secret }
    const answers = await Promise.all(Array.from({ length: 4 }, () => testContext.post(update, headers)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await testContext.settled()
    await testContext.post(update, headers)
    await testContext.settled()
    expect(await testContext.calls()).toHaveLength(1)
  })

  test('is sent it once of two who open it at the same moment', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    await Promise.all([testContext.write(start, { chat_id: 1 }), testContext.write(start, { chat_id: 2 })])
    await testContext.settled()
    expect(await videosOf(testContext)).toHaveLength(1)
    expect(await wordsOf(testContext)).toEqual([expect.stringMatching(/already been used|being sent/)])
  })

  test.each([
    ['en', /expired/],
    ['uk', /минув/],
    ['ru', /истёк/],
    ['uk-UA', /минув/],
    ['de', /expired/],
  ])('replies in the language %s that the link has expired', async (language, sentence) => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
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
  ])('explains how to get a link after %j', async (text, sentence) => {
    const testContext = await makeBotContext()
    await testContext.write(text)
    expect(await wordsOf(testContext)).toEqual([expect.stringMatching(sentence)])
  })

  test('of another bot is not known', async () => {
    const [testContext, other] = [await makeBotContext(), await makeBotContext()]
    const { start } = await prepare(testContext)
    await other.write(start)
    expect(await wordsOf(other)).toEqual([expect.stringMatching(/link is not valid/)])
  })

  test('finds the video gone where it is video has been deleted', async () => {
    const testContext = await makeBotContext()
    const { start, job_id } = await prepare(testContext)
    await testContext.deps.storage.remove([`results/${job_id}/1001/circle.mp4`])
    await testContext.write(start)
    await query(testContext, 'UPDATE jobs SET result = NULL WHERE id = ?', job_id)
    await testContext.write(start)
    const gone = expect.stringMatching(/video has been deleted/)
    expect(await wordsOf(testContext)).toEqual([gone, gone])
  })
})

describe('what goes wrong at the messenger', () => {
  test('for a while is tried again, and the video is sent once', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    await testContext.fail({ method: 'sendVideoNote', status: 502, description: 'Bad Gateway', times: 2 })
    await testContext.write(start)
    expect(await outboxOf(testContext)).toHaveLength(1)
    expect(String(await later(testContext, MINUTE_MS))).toContain('502')
    expect(await videosOf(testContext)).toEqual([])
    expect(await later(testContext, MINUTE_MS)).toBeUndefined()
    expect(await videosOf(testContext)).toHaveLength(1)
    expect(await outboxOf(testContext)).toEqual([])
    expect(await wordsOf(testContext)).toEqual([])
  })

  test('for good is told in the chat, and the link stays good', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    const description = 'Bad Request: VOICE_MESSAGES_FORBIDDEN'
    await testContext.fail({ method: 'sendVideoNote', status: 400, description, times: 1 })
    await testContext.write(start)
    expect(await wordsOf(testContext)).toEqual([expect.stringMatching(/rejected the video/)])
    expect(await outboxOf(testContext)).toEqual([])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('for a quarter of an hour is given up, and told in the chat', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    await testContext.fail({ method: 'sendVideoNote', status: 500, description: 'Internal', times: 2 })
    await testContext.write(start)
    expect(await later(testContext, 15 * MINUTE_MS)).toBeUndefined()
    expect(await wordsOf(testContext)).toEqual([expect.stringMatching(/could not be sent/)])
    expect(await outboxOf(testContext)).toEqual([])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('because the bot was blocked is let be', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
    const description = 'Forbidden: bot was blocked by the user'
    await testContext.fail({ method: 'sendVideoNote', status: 403, description, times: 1 })
    await testContext.write(start)
    expect([await testContext.calls(), await outboxOf(testContext)]).toEqual([[], []])
    await testContext.write(start)
    expect(await videosOf(testContext)).toHaveLength(1)
  })

  test('never shows the token of the bot', async () => {
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

  test('while an attempt may still be under way, no other one begins', async () => {
    const testContext = await makeBotContext()
    const { start } = await prepare(testContext)
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
    expect(String(await later(testContext, MINUTE_MS))).toContain('under way')
    expect([await videosOf(testContext), await outboxOf(testContext)]).toEqual([[], [row]])
    expect(await later(testContext, 10 * MINUTE_MS)).toBeUndefined()
    expect(await videosOf(testContext)).toHaveLength(1)
  })
})
