import ipaddr from 'ipaddr.js'
import type { InputFault } from '../../platform/errors/rules/entry.ts'
import { faultAt } from '../../platform/errors/rules/field-faults.ts'
import type { MessageLimit } from '../../platform/errors/rules/services.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'
import { DAY_MS } from '../../platform/rules/days.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const MESSAGE_LENGTH = { min: 10, max: 2000 }
export const LINKS_MAX = 2

/** Returns a fault if the message is too short or too long. Surrounding whitespace does not count. */
export function findLengthFault(message: string): InputFault | null {
  const { length } = [...message.trim()]
  const { min: length_min, max: length_max } = MESSAGE_LENGTH
  if (length < length_min) return faultAt(['body', 'message'], 'message_too_short', { length_min })
  return length > length_max ? faultAt(['body', 'message'], 'message_too_long', { length_max }) : null
}

export function hasTooManyLinks(...texts: (string | undefined)[]): boolean {
  return (texts.join(' ').match(/[a-z][a-z0-9+.-]*:\/\/|\bwww\./giu) ?? []).length > LINKS_MAX
}

/** Allowed age of the form at submission. Nobody can type a message in less than the minimum. */
export const FORM_AGE_MS = { min: 3000, max: 2 * HOUR_MS }

/**
 * Evidence that a form on this site sent the message.
 * @param form_age_ms null if there is no valid token.
 */
export interface FormSigns {
  origin: string | null
  fetch_site: string | null
  form_age_ms: number | null
}

type ScriptSign = 'feedback_outside_site' | 'feedback_form_expired' | 'feedback_form_too_fast'

/**
 * Returns why an anonymous message appears to be automated; null if it does not. Web pages cannot forge these
 * headers.
 */
export function findScriptSign(
  { origin, fetch_site, form_age_ms }: FormSigns,
  site: string,
): ScriptSign | null {
  if (origin !== site || fetch_site !== 'same-origin') {
    return 'feedback_outside_site'
  }
  if (form_age_ms === null || form_age_ms > FORM_AGE_MS.max) {
    return 'feedback_form_expired'
  }
  return form_age_ms < FORM_AGE_MS.min ? 'feedback_form_too_fast' : null
}

/** Returns the network of an address: /24 for IPv4 and /64 for IPv6. Returns null if the text is not an address. */
export function networkOf(address: string | null): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64`
}

/** When messages were relayed, newest first. */
export interface FeedbackFacts {
  /** True if the same message was already sent on the same day, by anyone. */
  duplicate: boolean
  /** The sender's messages within the last day. */
  own: readonly number[]
  /** The network's messages within the last hour. */
  network: readonly number[]
  /** The messages of the sender's IPv6 block within the last hour. */
  block: readonly number[]
  /** All messages within the last hour. */
  all: readonly number[]
}

export type FeedbackRefusal = Refusal<'duplicate_message' | 'too_many_messages'>

interface Limit {
  limit: MessageLimit
  times: readonly number[]
  max: number
  window_ms: number
}

/**
 * Decides whether to accept one more message. Checks for duplicates first, then the limits. Contract: Limits,
 * Feedback limits.
 * @param per_hour limit for all senders combined.
 */
export function judgeFeedback(
  facts: FeedbackFacts,
  { signed_in, per_hour, now }: { signed_in: boolean; per_hour: number; now: number },
): FeedbackRefusal | null {
  if (facts.duplicate) return { code: 'duplicate_message' }
  const refused = limitsOf(facts, signed_in, per_hour).flatMap((limit) => {
    const wait_ms = waitOf(limit, now)
    return wait_ms > 0 ? [{ limit: limit.limit, wait_ms }] : []
  })
  const [longest] = refused.sort((one, other) => other.wait_ms - one.wait_ms)
  if (longest === undefined) return null
  const retry_after_seconds = Math.ceil(longest.wait_ms / 1000)
  return { code: 'too_many_messages', facts: { limit: longest.limit, retry_after_seconds } }
}

function limitsOf(
  { own, network, block, all }: FeedbackFacts,
  signed_in: boolean,
  per_hour: number,
): Limit[] {
  const everybody = { limit: 'everybody_hour' as const, times: all, max: per_hour, window_ms: HOUR_MS }
  if (signed_in) {
    return [
      { limit: 'in_a_row', times: own, max: 1, window_ms: 2 * MINUTE_MS },
      { limit: 'account_day', times: own, max: 20, window_ms: DAY_MS },
      everybody,
    ]
  }
  return [
    { limit: 'in_a_row', times: own, max: 1, window_ms: 15 * MINUTE_MS },
    { limit: 'address_day', times: own, max: 5, window_ms: DAY_MS },
    { limit: 'network_hour', times: network, max: 10, window_ms: HOUR_MS },
    // Leaves half of what everybody may send to others.
    { limit: 'network_hour', times: block, max: 30, window_ms: HOUR_MS },
    everybody,
  ]
}

/** Returns how long to wait until the limit allows one more message; 0 or less if it allows one now. */
function waitOf({ times, max, window_ms }: Limit, now: number): number {
  if (max === 0) return window_ms
  const last = times[max - 1]
  return last === undefined ? 0 : last + window_ms - now
}
