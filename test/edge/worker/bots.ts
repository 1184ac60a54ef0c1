import { env as platform } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { TestContext } from './context.ts'
import { freshAddress, makeLimitedContext } from './limited-context.ts'
import type { Person } from './people.ts'
import { submit } from './people.ts'
import { finished, report } from './reports.ts'

/** A call that a bot made to the Bot API. */
export interface BotCall {
  method: string
  /** The fields exactly as received. */
  fields: Record<string, string>
  file: { bytes: number; content_type: string } | null
}

/** A failure that replaces a method's next responses. */
export interface BotFailure {
  method: string
  status: number
  description: string
  times: number
}

let bots = 5_000_000_000

/** Creates a bot that the Bot API recognizes, with access to the calls it makes. */
export function makeBot() {
  bots += 1
  const bot = {
    id: bots,
    username: `round_${bots}_bot`,
    token: `${bots}:known-${crypto.randomUUID()}`,
    secret: crypto.randomUUID(),
  }
  const { TELEGRAM_API_URL } = platform as unknown as { TELEGRAM_API_URL: string }
  const control = (init?: RequestInit) => fetch(`${TELEGRAM_API_URL}/control/${bot.token}`, init)
  return {
    bot,
    /** Settings that add the bot to a test context. */
    settings: { MESSENGER_BOTS: JSON.stringify([bot]) },
    async calls(): Promise<BotCall[]> {
      const { calls } = (await (await control()).json()) as { calls: BotCall[] }
      return calls.filter(({ method }) => method !== 'sendChatAction')
    },
    async fail(...failures: BotFailure[]): Promise<void> {
      await (await control({ method: 'PUT', body: JSON.stringify(failures) })).text()
    },
  }
}

/** Creates a test context with a separate bot and functions that send messages to the bot. */
export async function makeBotContext(overrides: Record<string, unknown> = {}) {
  const { bot, settings, calls, fail } = makeBot()
  const generous = { requests_per_minute_free: 1_000_000, in_flight_max_free: 1000 }
  const testContext = await makeLimitedContext(generous, { ...settings, ...overrides })
  let updates = 0
  /** Builds the update that the messenger sends when the bot receives a message. */
  function updateOf(text: string, { chat_id = 7, language = 'en', update_id = 0 } = {}) {
    updates += 1
    const from = { id: chat_id, is_bot: false, first_name: 'Ada', language_code: language }
    const message = { message_id: updates, date: 1, chat: { id: chat_id, type: 'private' }, from, text }
    return { update_id: update_id || updates, message }
  }
  // Uses a separate address, because refused updates count toward that address's rate limit.
  const address = { 'cf-connecting-ip': freshAddress() }
  const post = (update: unknown, headers: Record<string, string>) =>
    testContext.call('POST', `/api/v1/tg/webhook/${bot.id}`, {
      body: update,
      headers: { ...address, ...headers },
    })
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    bot,
    updateOf,
    post,
    /** Sends a message to the bot and waits until it is handled. */
    async write(...given: Parameters<typeof updateOf>) {
      const answer = await post(updateOf(...given), { 'x-telegram-bot-api-secret-token': bot.secret })
      expect([answer.status, answer.json]).toEqual([200, { ok: true }])
      await testContext.settled()
    },
    calls,
    fail,
  }
}
export type BotContext = Awaited<ReturnType<typeof makeBotContext>>

/** The first top-level box of an MP4, followed by other data. */
export const ROUND = Uint8Array.from([
  0,
  0,
  0,
  24,
  ...new TextEncoder().encode('ftypisom'),
  ...Array(30_000).fill(7),
])

/**
 * Creates a finished job with a round video in storage as its result.
 * @returns its id
 */
export async function makeRoundVideo(
  testContext: TestContext,
  person: Person,
  { body = {} as object, content_type = 'video/mp4', operation_key = 'circle', content = ROUND } = {},
): Promise<string> {
  const id = await submit(testContext, person)
  await testContext.deps.db.$client.execute({
    sql: 'UPDATE jobs SET operation_key = ? WHERE id = ?',
    args: [operation_key, id],
  })
  const key = `results/${id}/1001/circle.mp4`
  await testContext.deps.storage.put(key, new Blob([content]), content_type)
  const file = {
    key,
    filename: 'circle.mp4',
    content_type,
    size_bytes: content.length,
    sha256: '0'.repeat(64),
  }
  const measured = { encode_mode: 'encode', width: 640, height: 640, duration_seconds: 12.3, format: 'mp4' }
  const outcome = {
    status: 'done' as const,
    processing_seconds: 1,
    files: [file],
    body: { ...measured, ...body },
  }
  expect((await report(testContext, finished(id, outcome))).status).toBe(200)
  return id
}
