import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import type { Bot } from './bots.ts'
import { handleUpdate } from './handle-update.ts'

/** This service's own header, and Telegram's header. */
const SECRET_HEADERS = ['x-messenger-bot-api-secret-token', 'x-telegram-bot-api-secret-token']
const BODY_BYTES_MAX = 1024 * 1024

/**
 * Reads and handles an update from the messenger. Throws 404 for an unknown bot, 401 if its secret is missing or
 * wrong, 413 for a body over 1 MiB, and 422 for a body that is not a JSON object.
 */
export async function receiveUpdate(deps: Deps, bot_id: number, request: Request): Promise<{ ok: true }> {
  const bot = requireBot(deps, bot_id, request.headers)
  const body = await readTextAtMost(request, BODY_BYTES_MAX)
  if (body === null) throw new ApiError('body_too_large', { bytes_max: BODY_BYTES_MAX })
  const update = parseJson(body)
  if (typeof update !== 'object' || update === null || Array.isArray(update)) {
    throw new ApiError('validation_failed', { faults: [faultAt(['body'], 'json_invalid')] })
  }
  await handleUpdate(deps, bot, update)
  return { ok: true }
}

function requireBot({ messenger }: Deps, bot_id: number, headers: Headers): Bot {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
