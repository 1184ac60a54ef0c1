import { z } from 'zod'
import { LOCALES } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { commit } from '../platform/database/commit.ts'
import { atRow } from '../platform/database/find-place.ts'
import { requireAllKnown } from '../platform/database/known-databases.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { usageStatements } from '../usage/queries.ts'
import type { Bot } from './bots.ts'
import { CALL_MS_MAX, type Messenger, MessengerError } from './client.ts'
import { findRoundVideo } from './find-round-video.ts'
import { claimLink, findMessengerLink, releaseLink, useLinkStatement } from './queries.ts'
import { type BotWord, wordFor } from './rules/replies.ts'
import type { VideoNote } from './rules/updates.ts'

/** A message awaiting a reply, as stored in the outbox. */
const MessageToAnswer = z.object({
  bot_id: z.int(),
  chat_id: z.int(),
  /** Hash of the link token; null if the message has no link. */
  token_hash: z.string().nullable(),
  locale: z.enum(LOCALES),
  /** Time of the message; its link must be valid at this time. */
  at: z.number(),
  /** No reply is attempted after this time. */
  give_up_at: z.number(),
})
export type MessageToAnswer = z.infer<typeof MessageToAnswer>

export function messageEffect(update_id: number, message: MessageToAnswer): Effect {
  return { id: `messenger:${message.bot_id}:${update_id}`, kind: 'messenger', payload: message }
}

/** Longer than the timeout of a call. */
const CLAIM_MS = CALL_MS_MAX + 10_000

/** One attempt to reply to a message. */
interface Attempt {
  id: string
  message: MessageToAnswer
  bot: Bot
  messenger: Messenger
}

/**
 * Replies to a message from the outbox with the round video of its link or with a text message. Throws if the
 * messenger is unreachable, so the outbox retries. Permanent errors are reported in the chat.
 */
export async function answerMessage(deps: Deps, id: string, payload: unknown): Promise<void> {
  const message = MessageToAnswer.parse(payload)
  const { messenger } = deps
  const bot = messenger?.bots.find((one) => one.id === message.bot_id)
  // Nothing can be sent: the bot is no longer configured.
  if (messenger === null || bot === undefined) return
  const attempt: Attempt = { id, message, bot, messenger }
  try {
    const word = message.token_hash === null ? 'help' : await deliverLink(deps, attempt, message.token_hash)
    if (word !== null) await say(attempt, word)
  } catch (error) {
    // The failure is permanent, such as a user who blocked the bot, so a retry would not help.
    if (error instanceof MessengerError && error.reason !== 'later') return
    if (deps.clock.now() < message.give_up_at) throw error
    reportUnforeseen(error, { task: 'answer a message to a bot' })
    await say(attempt, 'failed').catch(() => undefined)
  }
}

function say({ messenger, bot, message }: Attempt, word: BotWord): Promise<void> {
  return messenger.sendMessage(bot, message.chat_id, wordFor(word, message.locale))
}

/** Sends the video of a link in the database of its account. */
async function deliverLink(deps: Deps, attempt: Attempt, tokenHash: string): Promise<BotWord | null> {
  const own = await atRow(deps, ({ db }) => findMessengerLink(db, attempt.bot.id, tokenHash))
  return deliver(own, attempt, tokenHash)
}

/**
 * Sends the video of a link.
 * @returns the text to send instead, or null if none is needed.
 */
async function deliver(deps: Deps, attempt: Attempt, tokenHash: string): Promise<BotWord | null> {
  const { id, message, bot } = attempt
  const found = await findMessengerLink(deps.db, bot.id, tokenHash)
  if (found === undefined) {
    await requireAllKnown(deps)
    return 'unknown'
  }
  const { link, job } = found
  // The video was already sent, either by an unacknowledged attempt for this message or for another message.
  if (link.usedAt !== null) return link.claimedBy === id ? null : 'used'
  if (link.expiresAt <= message.at) return 'expired'
  const video = findRoundVideo(job)
  if (video === null || 'refused' in video) return 'gone'
  const now = deps.clock.now()
  if (!(await claimLink(deps.db, link, id, { now, until: now + CLAIM_MS }))) {
    return whoHolds(deps, attempt, tokenHash)
  }
  const word = await sendVideo(deps, attempt, video).catch(async (error) => {
    await releaseLink(deps.db, tokenHash, id)
    throw error
  })
  if (word !== null) {
    await releaseLink(deps.db, tokenHash, id)
    return word
  }
  const { accountId, source, jobId } = link
  const { serviceSlug, operationKey } = job
  const done = deps.clock.now()
  const event = { accountId, source, serviceSlug, operationKey, jobId, credits: 0, createdAt: done }
  await commit(deps.db, [
    useLinkStatement(deps.db, tokenHash, id, done),
    ...usageStatements(deps.db, { ...event, action: 'deliver' }),
  ])
  return null
}

/** Returns why a link could not be claimed. Throws if an earlier attempt for the same message still holds it. */
async function whoHolds({ db }: Deps, { id, bot }: Attempt, tokenHash: string): Promise<BotWord> {
  const holder = (await findMessengerLink(db, bot.id, tokenHash))?.link
  if (holder && holder.claimedBy !== null && holder.claimedBy !== id) {
    return holder.usedAt === null ? 'sending' : 'used'
  }
  throw new Error('another attempt to send this video may still be under way')
}

async function sendVideo(
  { storage }: Deps,
  { messenger, bot, message: { chat_id } }: Attempt,
  { key, ...note }: VideoNote & { key: string },
): Promise<BotWord | null> {
  const object = await storage.get(key)
  if (object === null || !('body' in object)) return 'gone'
  // The indicator is optional, so errors are ignored.
  await messenger.showSending(bot, chat_id).catch(() => undefined)
  try {
    await messenger.sendVideoNote(bot, chat_id, { ...note, content: object.body, size_bytes: object.size })
    return null
  } catch (error) {
    if (error instanceof MessengerError && error.reason === 'refused') return 'refused'
    throw error
  }
}
