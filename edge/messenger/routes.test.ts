import { describe, expect, test } from 'vitest'
import { type BotWorld, makeBotWorld, makeRoundVideo, ROUND } from '../../test/edge/worker/bots.ts'
import { makeWorld } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { takeDueEffect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'

const DELIVER = '/api/v1/tg/deliver'
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

const deliver = ({ call }: BotWorld, { token }: Person, body: object, headers = {}) =>
  call('POST', DELIVER, { token, body, headers })

/** What follows "start=" in a link that must be made. */
async function mint(world: BotWorld, person: Person, job_id: string): Promise<string> {
  const { status, json, text } = await deliver(world, person, { job_id })
  expect(status, text).toBe(200)
  return new URL(json.link).searchParams.get('start') ?? ''
}

async function prepare(world: BotWorld) {
  const person = await register(world)
  const job_id = await makeRoundVideo(world, person)
  return { person, job_id, start: `/start ${await mint(world, person, job_id)}` }
}

const videosOf = async (world: BotWorld) =>
  (await world.calls()).filter(({ method }) => method === 'sendVideoNote')
const wordsOf = async (world: BotWorld) =>
  (await world.calls()).flatMap(({ method, fields }) => (method === 'sendMessage' ? [fields.text] : []))
const outboxOf = (world: BotWorld) =>
  query(world, 'SELECT id FROM outbox WHERE id LIKE ?', `messenger:${world.bot.id}:%`)

/** Carries out what the bot still owes at a later time, as the scheduled handler would; what others owe is theirs. */
async function later(world: BotWorld, ms: number): Promise<unknown> {
  world.clock.now += ms
  await query(world, 'UPDATE outbox SET due_at = 1 WHERE id LIKE ?', `messenger:${world.bot.id}:%`)
  for (const { id } of await outboxOf(world)) {
    const effect = await takeDueEffect(world.deps.db, world.clock.now, String(id))
    const failure = effect && (await sendEffects(world.deps, [effect]).catch((error) => error))
    if (failure !== undefined) return failure
  }
}

describe('a delivery link', () => {
  test('opens the bot, for a day, and is made by a session or a key', async () => {
    const world = await makeBotWorld()
    const person = await register(world)
    const { key } = await makeKey(world, person)
    const job_id = await makeRoundVideo(world, person)
    for (const credential of [{ token: person.token }, { key }]) {
      const { status, json } = await world.call('POST', DELIVER, { ...credential, body: { job_id } })
      expect(status).toBe(200)
      expect(json).toEqual({
        link: expect.stringMatching(new RegExp(`^https://t\\.me/${world.bot.username}\\?start=[\\w-]{32}$`)),
        bot_username: world.bot.username,
        expires_at: expect.any(String),
      })
      expect(Date.parse(json.expires_at) - world.clock.now).toBeLessThanOrEqual(DAY_MS)
    }
    const headers = { 'cf-connecting-ip': freshAddress() }
    expect((await world.call('POST', DELIVER, { body: { job_id }, headers })).status).toBe(401)
  })

  test('is made once for each Idempotency-Key', async () => {
    const world = await makeBotWorld()
    const person = await register(world)
    const job_id = await makeRoundVideo(world, person)
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [
      await deliver(world, person, { job_id }, headers),
      await deliver(world, person, { job_id }, headers),
    ]
    expect(second.json).toEqual(first.json)
    const links = await query(world, 'SELECT token_hash FROM messenger_links WHERE job_id = ?', job_id)
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links)).not.toContain(new URL(first.json.link).searchParams.get('start'))
  })

  test('is 404 for a job that is unknown or somebody else’s, and for a bot that is unknown', async () => {
    const world = await makeBotWorld()
    const [person, stranger] = [await register(world), await register(world)]
    const job_id = await makeRoundVideo(world, person)
    expect((await deliver(world, stranger, { job_id })).status).toBe(404)
    expect((await deliver(world, person, { job_id: 'nothing' })).status).toBe(404)
    expect((await deliver(world, person, { job_id, bot_id: 1 })).status).toBe(404)
    expect((await deliver(world, person, { job_id, bot_id: world.bot.id })).status).toBe(200)
    expect((await deliver(world, person, { job_id, bot_id: 'x' })).status).toBe(422)
    expect((await deliver(world, person, {})).status).toBe(422)
  })

  test.each([
    [{ operation_key: 'compress' }],
    [{ body: { width: 320 } }],
    [{ body: { width: 1000, height: 1000 } }],
    [{ body: { duration_seconds: 61 } }],
    [{ body: { width: null } }],
    [{ content_type: 'image/gif' }],
  ])('is 409 for what the messenger would not take: %j', async (made) => {
    const world = await makeBotWorld()
    const person = await register(world)
    const answer = await deliver(world, person, { job_id: await makeRoundVideo(world, person, made) })
    expect([answer.status, answer.json.code]).toEqual([409, 'not_deliverable'])
  })

  test('is 409 for a job that runs, that failed, or whose result is gone', async () => {
    const world = await makeBotWorld()
    const person = await register(world)
    const job_id = await submit(world, person)
    await query(world, "UPDATE jobs SET operation_key = 'circle' WHERE id = ?", job_id)
    const running = await deliver(world, person, { job_id })
    await report(world, finished(job_id, FAILED))
    const failed = await deliver(world, person, { job_id })
    const old = await makeRoundVideo(world, person)
    await query(world, 'UPDATE jobs SET result = NULL WHERE id = ?', old)
    const gone = await deliver(world, person, { job_id: old })
    expect([running, failed, gone].map(({ status, json }) => [status, json.code])).toEqual([
      [409, 'job_not_done'],
      [409, 'job_not_done'],
      [409, 'result_expired'],
    ])
  })

  test('is 503 where there is no bot', async () => {
    const world = makeWorld()
    const person = await register(world)
    const answer = await world.call('POST', DELIVER, { token: person.token, body: { job_id: 'x' } })
    expect(answer.status).toBe(503)
  })
})

describe('the webhook', () => {
  test.each(['x-telegram-bot-api-secret-token', 'x-messenger-bot-api-secret-token'])(
    'is opened by its secret in %s',
    async (header) => {
      const world = await makeBotWorld()
      const { status, json } = await world.post(world.updateOf('hello'), { [header]: world.bot.secret })
      expect([status, json]).toEqual([200, { ok: true }])
      await world.settled()
      expect(await wordsOf(world)).toHaveLength(1)
    },
  )

  test('is 401 without the secret, and does nothing', async () => {
    const world = await makeBotWorld()
    const { secret } = world.bot
    const wrong: Record<string, string>[] = [
      {},
      { 'x-telegram-bot-api-secret-token': '' },
      { 'x-telegram-bot-api-secret-token': secret.slice(1) },
      { 'x-telegram-bot-api-secret-token': `${secret}x` },
      { authorization: `Bearer ${secret}` },
    ]
    for (const headers of wrong) {
      expect((await world.post(world.updateOf('hello'), headers)).status).toBe(401)
    }
    await world.settled()
    expect(await world.calls()).toEqual([])
  })

  test('is 404 for a bot that is unknown, and 422 for what is no bot and no update', async () => {
    const world = await makeBotWorld()
    const headers = { 'x-telegram-bot-api-secret-token': world.bot.secret }
    const post = async (id: string | number, raw: string) =>
      (await world.call('POST', `/api/v1/tg/webhook/${id}`, { raw, headers })).status
    expect(await post(world.bot.id + 1, '{}')).toBe(404)
    expect(await post('me', '{}')).toBe(422)
    expect(await post('1.5', '{}')).toBe(422)
    for (const raw of ['', 'x', '7', 'null', '[]', '"x"']) expect(await post(world.bot.id, raw)).toBe(422)
  })

  test('takes what nobody is to be answered for', async () => {
    const world = await makeBotWorld()
    const headers = { 'x-telegram-bot-api-secret-token': world.bot.secret }
    const message = world.updateOf('/start x').message
    for (const update of [
      {},
      { update_id: 1 },
      { update_id: 2, edited_message: message },
      { update_id: 3, message: { ...message, chat: { id: -5, type: 'group' } } },
      { update_id: 4, my_chat_member: { chat: message.chat } },
      { update_id: 'x', message },
      { update_id: 1e300, message },
    ]) {
      expect((await world.post(update, headers)).status).toBe(200)
    }
    await world.settled()
    expect(await world.calls()).toEqual([])
  })

  test('counts on a limit of its own, which refuses nobody: the messenger has few addresses', async () => {
    const world = await makeBotWorld()
    const secret = { 'x-messenger-bot-api-secret-token': world.bot.secret }
    const { status, headers } = await world.post(world.updateOf('hello'), secret)
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"unenforced-minute";q=6000;w=60'])
  })

  test('answers somebody who writes without end twenty times a minute', async () => {
    const world = await makeBotWorld()
    for (let count = 0; count < 25; count++) await world.write('hello')
    expect(await wordsOf(world)).toHaveLength(20)
    await world.write('hello', { chat_id: 8 })
    expect(await wordsOf(world)).toHaveLength(21)
  })
})

describe('whoever opens the link', () => {
  test('is sent the round video, whole, and the link is used up', async () => {
    const world = await makeBotWorld()
    const { person, job_id, start } = await prepare(world)
    await world.write(start, { chat_id: 42 })
    expect(await world.calls()).toEqual([
      {
        method: 'sendVideoNote',
        fields: { chat_id: '42', length: '640', duration: '12' },
        file: { bytes: 30_012, content_type: 'video/mp4' },
      },
    ])
    expect(await outboxOf(world)).toEqual([])
    const usage = await world.call('GET', '/api/v1/me/usage?action=deliver', { token: person.token })
    expect(usage.json).toMatchObject([{ action: 'deliver', source: 'web', job_id, credits: 0 }])
    await world.write(start, { chat_id: 43 })
    expect(await wordsOf(world)).toEqual([expect.stringMatching(/used already/)])
    expect(await videosOf(world)).toHaveLength(1)
  })

  test('is sent a long one too, which is read as it goes', async () => {
    const world = await makeBotWorld()
    const person = await register(world)
    const content = new Uint8Array(12_000_000)
    content.set(ROUND)
    const job_id = await makeRoundVideo(world, person, { content })
    await world.write(`/start ${await mint(world, person, job_id)}`)
    expect(await videosOf(world)).toMatchObject([{ file: { bytes: 12_000_000 } }])
  })

  test('is sent it once, though the messenger tells of it twice', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    const update = world.updateOf(start)
    const headers = { 'x-telegram-bot-api-secret-token': world.bot.secret }
    const answers = await Promise.all(Array.from({ length: 4 }, () => world.post(update, headers)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await world.settled()
    await world.post(update, headers)
    await world.settled()
    expect(await world.calls()).toHaveLength(1)
  })

  test('is sent it once of two who open it at the same moment', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    await Promise.all([world.write(start, { chat_id: 1 }), world.write(start, { chat_id: 2 })])
    await world.settled()
    expect(await videosOf(world)).toHaveLength(1)
    expect(await wordsOf(world)).toEqual([expect.stringMatching(/used already|on its way/)])
  })

  test.each([
    ['en', /expired/],
    ['uk', /минув/],
    ['ru', /истёк/],
    ['uk-UA', /минув/],
    ['de', /expired/],
  ])('who reads %s is told in it that its time is over', async (language, sentence) => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    await query(
      world,
      'UPDATE messenger_links SET expires_at = ? WHERE bot_id = ?',
      world.clock.now,
      world.bot.id,
    )
    await world.write(start, { language })
    expect(await world.calls()).toMatchObject([
      { method: 'sendMessage', fields: { text: expect.stringMatching(sentence) } },
    ])
  })

  test.each([
    ['/start nobody-was-given-this', /don’t know this link/],
    ['/start', /Ask for a link there/],
    ['/start two words', /Ask for a link there/],
    ['hello \ud800', /Ask for a link there/],
    [`/start ${'x'.repeat(65)}`, /Ask for a link there/],
  ])('or writes %j is told what to do', async (text, sentence) => {
    const world = await makeBotWorld()
    await world.write(text)
    expect(await wordsOf(world)).toEqual([expect.stringMatching(sentence)])
  })

  test('of another bot is not known', async () => {
    const [world, other] = [await makeBotWorld(), await makeBotWorld()]
    const { start } = await prepare(world)
    await other.write(start)
    expect(await wordsOf(other)).toEqual([expect.stringMatching(/don’t know this link/)])
  })

  test('finds the video gone where it is not kept any more', async () => {
    const world = await makeBotWorld()
    const { start, job_id } = await prepare(world)
    await world.deps.storage.remove([`results/${job_id}/1001/circle.mp4`])
    await world.write(start)
    await query(world, 'UPDATE jobs SET result = NULL WHERE id = ?', job_id)
    await world.write(start)
    const gone = expect.stringMatching(/not kept any more/)
    expect(await wordsOf(world)).toEqual([gone, gone])
  })
})

describe('what goes wrong at the messenger', () => {
  test('for a while is tried again, and the video is sent once', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    await world.fail({ method: 'sendVideoNote', status: 502, description: 'Bad Gateway', times: 2 })
    await world.write(start)
    expect(await outboxOf(world)).toHaveLength(1)
    expect(String(await later(world, MINUTE_MS))).toContain('502')
    expect(await videosOf(world)).toEqual([])
    expect(await later(world, MINUTE_MS)).toBeUndefined()
    expect(await videosOf(world)).toHaveLength(1)
    expect(await outboxOf(world)).toEqual([])
    expect(await wordsOf(world)).toEqual([])
  })

  test('for good is told in the chat, and the link stays good', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    const description = 'Bad Request: VOICE_MESSAGES_FORBIDDEN'
    await world.fail({ method: 'sendVideoNote', status: 400, description, times: 1 })
    await world.write(start)
    expect(await wordsOf(world)).toEqual([expect.stringMatching(/did not take the video/)])
    expect(await outboxOf(world)).toEqual([])
    await world.write(start)
    expect(await videosOf(world)).toHaveLength(1)
  })

  test('for a quarter of an hour is given up, and told in the chat', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    await world.fail({ method: 'sendVideoNote', status: 500, description: 'Internal', times: 2 })
    await world.write(start)
    expect(await later(world, 15 * MINUTE_MS)).toBeUndefined()
    expect(await wordsOf(world)).toEqual([expect.stringMatching(/could not be sent/)])
    expect(await outboxOf(world)).toEqual([])
    await world.write(start)
    expect(await videosOf(world)).toHaveLength(1)
  })

  test('because the bot was blocked is let be', async () => {
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    const description = 'Forbidden: bot was blocked by the user'
    await world.fail({ method: 'sendVideoNote', status: 403, description, times: 1 })
    await world.write(start)
    expect([await world.calls(), await outboxOf(world)]).toEqual([[], []])
    await world.write(start)
    expect(await videosOf(world)).toHaveLength(1)
  })

  test('never shows the token of the bot', async () => {
    const token = '5:unknown-token-of-nobody'
    const bots = [{ id: 5, username: 'some_bot', token, secret: 'x'.repeat(20) }]
    const world = await makeBotWorld({ MESSENGER_BOTS: JSON.stringify(bots) })
    const { messenger } = world.deps
    const [bot] = messenger?.bots ?? []
    if (bot === undefined) throw new Error('there is no bot')
    const refused = await messenger?.sendMessage(bot, 1, 'x').catch((error) => error)
    const nowhere = makeWorld({
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
    const world = await makeBotWorld()
    const { start } = await prepare(world)
    await world.fail({ method: 'sendVideoNote', status: 500, description: 'Internal', times: 1 })
    await world.write(start)
    const [row] = await outboxOf(world)
    const until = world.clock.now + 10 * MINUTE_MS
    await query(world, 'UPDATE messenger_links SET claimed_until = ? WHERE bot_id = ?', until, world.bot.id)
    expect(String(await later(world, MINUTE_MS))).toContain('under way')
    expect([await videosOf(world), await outboxOf(world)]).toEqual([[], [row]])
    expect(await later(world, 10 * MINUTE_MS)).toBeUndefined()
    expect(await videosOf(world)).toHaveLength(1)
  })
})
