import type { Effect } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../rules/caller.ts'
import { DAY_MS } from '../../rules/days.ts'
import { ApiError } from '../api-error.ts'
import { mailEffect } from '../mail/letters.ts'
import { isoTime } from '../views.ts'

/** Older ones tell nobody anything. */
const USEFUL_MS = 7 * DAY_MS

export function isFeedbackOpen({ mailer, env }: Deps): boolean {
  return mailer !== null && env.FEEDBACK_EMAIL !== undefined
}

interface Written {
  message: string
  contact?: string | undefined
  page?: string | undefined
  error?: string | undefined
}

/** A letter to who reads what people write. Throws 503 where nobody does. */
export function relayEffect(deps: Deps, { account }: Caller, written: Written, now: number): Effect {
  const { FEEDBACK_EMAIL: to } = deps.env
  if (!isFeedbackOpen(deps) || to === undefined) {
    throw new ApiError(503, 'messages cannot be delivered at the moment')
  }
  const { message, contact = null, page = null, error = null } = written
  const from = account === null ? null : { account_id: account.id, email: account.email }
  return mailEffect(`feedback:${crypto.randomUUID()}`, {
    to,
    locale: 'en',
    content: { kind: 'feedback', message: message.trim(), contact, page, error, from, at: isoTime(now) },
    useful_until: now + USEFUL_MS,
  })
}
