import { createHash } from 'node:crypto'
import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { addressHasher } from '../platform/crypto/address-hash.ts'
import { atHome } from '../platform/database/find-place.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { blockOf } from '../platform/http/rules/client-address.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { requireBrowser } from './form.ts'
import { insertFeedbackStatement, loadFeedback, type Message } from './queries.ts'
import { relayEffects } from './relay.ts'
import {
  type FormSigns,
  findLengthFault,
  hasTooManyLinks,
  judgeFeedback,
  LINKS_MAX,
  networkOf,
} from './rules/spam.ts'

export interface Feedback {
  message: string
  contact?: string | undefined
  page?: string | undefined
  error?: string | undefined
  /** Honeypot: hidden from people, filled in by bots. */
  website?: string | undefined
  form_token?: string | undefined
}

/** Where a message came from, according to headers that web pages cannot forge. */
interface Sender extends Pick<FormSigns, 'origin' | 'fetch_site'> {
  /** Client address from the platform's header; null if the header is missing. */
  address: string | null
}

/**
 * Accepts feedback and relays it through the outbox. The guards run in the contract's order: honeypot 400, browser
 * 401, content 422 and 400, duplicate 400, volume 429, send 503. Contract: Public endpoints, Feedback.
 */
export async function sendFeedback(own: Deps, caller: Caller, feedback: Feedback, sender: Sender) {
  const deps = atHome(own)
  if ((feedback.website ?? '').trim() !== '') throw new ApiError('feedback_rejected')
  if (caller.account === null) requireBrowser(deps, feedback.form_token, sender)
  requireContent(feedback)
  const message = identify(deps, caller, feedback, sender.address)
  const { feedback_per_hour } = await loadSettings(deps.db, deps.clock.now())
  return unitOfWork(deps, {
    load: () => loadFeedback(deps.db, message, feedback_per_hour, deps.clock.now()),
    decide: ({ last_id, ...facts }, now) => {
      const signed_in = caller.account !== null
      const refusal = judgeFeedback(facts, { signed_in, per_hour: feedback_per_hour, now })
      if (refusal !== null) throw toError(refusal)
      return {
        statements: [insertFeedbackStatement(deps.db, message, last_id, now)],
        effects: relayEffects(deps, caller, feedback, now),
        answer: { ok: true },
      }
    },
  })
}

function requireContent({ message, contact }: Feedback): void {
  const fault = findLengthFault(message)
  if (fault !== null) throw new ApiError('validation_failed', { faults: [fault] })
  if (hasTooManyLinks(message, contact)) throw new ApiError('too_many_links', { links_max: LINKS_MAX })
}

/** Hashes the sender and its networks. The hashes are deleted after two days. */
function identify(
  { env }: Deps,
  { account }: Caller,
  { message }: Feedback,
  address: string | null,
): Message {
  const message_hash = createHash('sha256').update(message.trim()).digest('base64url')
  if (account !== null) return { sender: `account:${account.id}`, network: null, block: null, message_hash }
  const [secret = ''] = env.SESSION_KEYS
  const hash = addressHasher(secret, 'feedback')
  const block = blockOf(address)
  return {
    sender: `ip:${hash(address)}`,
    network: hash(networkOf(address)),
    block: block === null ? null : hash(block),
    message_hash,
  }
}
