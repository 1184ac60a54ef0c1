import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { hashLinkToken } from '../upload-links/link-token.ts'
import type { Bot } from './bots.ts'
import { forgetUpdatesStatement, insertUpdateStatement, isUpdateKnown } from './queries.ts'
import { type MessageToAnswer, messageEffect } from './reply.ts'
import { type BotMessage, readUpdate } from './rules/updates.ts'

/** This service's own header, and Telegram's header. */
const SECRET_HEADERS = ['x-messenger-bot-api-secret-token', 'x-telegram-bot-api-secret-token']
/** The messenger retries an update for a day. */
const UPDATE_REMEMBERED_MS = 2 * DAY_MS
const BODY_BYTES_MAX = 1024 * 1024
const MESSAGES = { name: 'bot-messages', limit: 20, window_ms: 60_000 }
const ANSWERED_MS = 15 * 60_000

/** Authenticates the messenger for a bot. Throws 404 for an unknown bot and 401 if its secret is missing or wrong. */
export function requireBot({ messenger }: Deps, bot_id: number, headers: Headers): Bot {
  const bot = messenger?.bots.find(({ id }) => id === bot_id)
  if (bot === undefined) throw new ApiError('bot_not_found')
  const isKnown = SECRET_HEADERS.some((name) => isSame(headers.get(name) ?? '', bot.secret))
  if (!isKnown) throw new ApiError('invalid_secret_token')
  return bot
}

/** Compares two strings in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/**
 * Handles POST /tg/webhook/{bot_id}: accepts a message and replies to it later, once per update. Irrelevant updates
 * are accepted and ignored. Throws 401, 404, 413, and 422 for a body that is not a JSON object.
 */
export async function handleUpdate(deps: Deps, bot_id: number, request: Request): Promise<{ ok: true }> {
  const bot = requireBot(deps, bot_id, request.headers)
  const body = await readTextAtMost(request, BODY_BYTES_MAX)
  if (body === null) throw new ApiError('body_too_large', { bytes_max: BODY_BYTES_MAX })
  const update = parseJson(body)
  if (typeof update !== 'object' || update === null || Array.isArray(update)) {
    throw new ApiError('validation_failed', { faults: [faultAt(['body'], 'json_invalid')] })
  }
  const message = readUpdate(update)
  if (message === null || !(await mayWrite(deps, bot, message))) return { ok: true }
  await remember(deps, bot, message)
  return { ok: true }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Limits replies per chat. If counting fails, the message still gets a reply. */
async function mayWrite({ quotas, clock }: Deps, bot: Bot, { chat_id }: BotMessage): Promise<boolean> {
  const counting = quotas.use(`chat:${bot.id}:${chat_id}`, [MESSAGES], clock.now())
  const [standing] = await counting.catch((error) => {
    reportUnforeseen(error, { task: 'count messages to a bot' })
    return []
  })
  return standing?.allowed ?? true
}

/** Queues the reply to a message, once per update. */
function remember(deps: Deps, bot: Bot, message: BotMessage): Promise<void> {
  const { db } = deps
  return unitOfWork(deps, {
    load: () => isUpdateKnown(db, bot.id, message.update_id),
    decide: (isKnown, now) => {
      if (isKnown) return { answer: undefined }
      return {
        statements: [
          insertUpdateStatement(db, { botId: bot.id, updateId: message.update_id, createdAt: now }),
          forgetUpdatesStatement(db, now - UPDATE_REMEMBERED_MS),
        ],
        effects: [messageEffect(message.update_id, toAnswer(bot, message, now))],
        answer: undefined,
      }
    },
  })
}

/** Stores none of the user's text except the hash of a link token. */
function toAnswer(bot: Bot, { chat_id, start, language }: BotMessage, now: number): MessageToAnswer {
  return {
    bot_id: bot.id,
    chat_id,
    token_hash: start === null ? null : hashLinkToken(start),
    locale: pickLocale(language),
    at: now,
    give_up_at: now + ANSWERED_MS,
  }
}
