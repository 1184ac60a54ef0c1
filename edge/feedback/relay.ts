import { z } from 'zod'
import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { type FeedbackContent, writeFeedbackMessages } from './rules/feedback-email.ts'

/** Messages older than this are no longer worth sending. */
const USEFUL_MS = 7 * DAY_MS

/** A feedback message for a chat, as the outbox stores it. */
const ChatMessage = z.object({ chat_id: z.int(), text: z.string(), useful_until: z.number() })

/**
 * Returns the recipients of feedback: an email address, a messenger chat, or both. A recipient is undefined if it
 * is not configured.
 */
function findReaders({ mailer, messenger, env }: Pick<Deps, 'mailer' | 'messenger' | 'env'>) {
  return {
    email: mailer === null ? undefined : env.FEEDBACK_EMAIL,
    chat_id: messenger === null ? undefined : env.FEEDBACK_CHAT_ID,
  }
}

export function isFeedbackOpen(deps: Deps): boolean {
  const { email, chat_id } = findReaders(deps)
  return email !== undefined || chat_id !== undefined
}

interface Written {
  message: string
  contact?: string | undefined
  page?: string | undefined
  error?: string | undefined
}

/** Returns the effects that send feedback to all recipients. Throws 503 if there are no recipients. */
export function relayEffects(deps: Deps, { account }: Caller, written: Written, now: number): Effect[] {
  if (!isFeedbackOpen(deps)) throw new ApiError('feedback_unavailable')
  const { email, chat_id } = findReaders(deps)
  const { message, contact = null, page = null, error = null } = written
  const from = account === null ? null : { account_id: account.id, email: account.email }
  const content = { message: message.trim(), contact, page, error, from, at: isoTime(now) }
  const id = `feedback:${crypto.randomUUID()}`
  const useful_until = now + USEFUL_MS
  return [
    ...(email === undefined ? [] : [emailEffect(id, email, content, useful_until)]),
    ...(chat_id === undefined ? [] : chatEffects(deps, id, content, { chat_id, useful_until })),
  ]
}

function emailEffect(id: string, to: string, content: FeedbackContent, useful_until: number): Effect {
  return mailEffect(id, { to, locale: 'en', content: { kind: 'feedback', ...content }, useful_until })
}

/** Creates one effect per message, so each message is retried until it is delivered. */
function chatEffects(
  { env }: Pick<Deps, 'env'>,
  id: string,
  content: FeedbackContent,
  target: { chat_id: number; useful_until: number },
): Effect[] {
  const texts = writeFeedbackMessages(content, new URL(env.PUBLIC_URL).host)
  return texts.map((text, index) => ({
    id: `${id}:${index + 1}`,
    kind: 'feedback',
    payload: { ...target, text } satisfies z.infer<typeof ChatMessage>,
  }))
}

/** Sends a message from the outbox through the first bot. Throws if sending fails, so the outbox retries. */
export async function sendToChat({ messenger, clock }: Deps, payload: unknown): Promise<void> {
  const { chat_id, text, useful_until } = ChatMessage.parse(payload)
  if (useful_until <= clock.now()) return
  const [bot] = messenger?.bots ?? []
  if (messenger === null || bot === undefined) throw new Error('no bot of the messenger is configured')
  await messenger.sendMessage(bot, chat_id, text)
}
