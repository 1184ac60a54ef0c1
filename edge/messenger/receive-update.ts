import type { Deps } from '../deps.ts'
import { isEqualSecret } from '../platform/crypto/equal.ts'
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
  const isKnown = SECRET_HEADERS.some((name) => isEqualSecret(headers.get(name) ?? '', bot.secret))
  if (!isKnown) throw new ApiError('invalid_secret_token')
  return bot
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
