import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { hashLinkToken } from '../upload-links/link-token.ts'
import type { Bot } from './bots.ts'
import { forgetUpdatesStatement, insertUpdateStatement, isUpdateKnown } from './queries.ts'
import { type MessageToAnswer, messageEffect } from './reply.ts'
import { type BotMessage, readUpdate } from './rules/updates.ts'

/** The messenger retries an update for a day. */
const UPDATE_REMEMBERED_MS = 2 * DAY_MS
const MESSAGES = { name: 'bot-messages', limit: 20, window_ms: 60_000 }
const ANSWERED_MS = 15 * 60_000

/** Accepts a message and replies to it later, once per update. Irrelevant updates are ignored. */
export async function handleUpdate(deps: Deps, bot: Bot, update: object): Promise<void> {
  const message = readUpdate(update)
  if (message === null || !(await mayWrite(deps, bot, message))) return
  await remember(deps, bot, message)
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
