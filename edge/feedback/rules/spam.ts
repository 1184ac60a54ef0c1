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

/** Why a message cannot be as long or short as it is; null where it can. Blanks around it don't count. */
export function findLengthFault(message: string): InputFault | null {
  const { length } = [...message.trim()]
  const { min: length_min, max: length_max } = MESSAGE_LENGTH
  if (length < length_min) return faultAt(['body', 'message'], 'message_too_short', { length_min })
  return length > length_max ? faultAt(['body', 'message'], 'message_too_long', { length_max }) : null
}

export function hasTooManyLinks(...texts: (string | undefined)[]): boolean {
  return (texts.join(' ').match(/[a-z][a-z0-9+.-]*:\/\/|\bwww\./giu) ?? []).length > LINKS_MAX
}

/** How old the form must be when it is sent: nobody writes a message faster. */
export const FORM_AGE_MS = { min: 3000, max: 2 * HOUR_MS }

/** What a request says of the form it came from. @param form_age_ms null: it carries no token of ours. */
export interface FormSigns {
  origin: string | null
  fetch_site: string | null
  form_age_ms: number | null
}

type ScriptSign = 'feedback_outside_site' | 'feedback_form_expired' | 'feedback_form_too_fast'

/** Why an anonymous message is not taken for a person's; null where it is. Browsers let no page write these headers. */
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

/** Addresses that one network has: /24 of IPv4, /64 of IPv6. null for what is no address. */
export function networkOf(address: string | null): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64`
}

/** Messages that were relayed, as the times they came at, newest first. */
export interface FeedbackFacts {
  /** The same message came on the same day, from anybody. */
  duplicate: boolean
  /** Of the last day, of this sender. */
  own: readonly number[]
  /** Of the last hour, of the sender's network. */
  network: readonly number[]
  /** Of the last hour, of everybody. */
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
 * Whether one more message goes through: the duplicate first, then how many came. Contract: Limits, Feedback limits.
 * @param per_hour of everybody together
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

function limitsOf({ own, network, all }: FeedbackFacts, signed_in: boolean, per_hour: number): Limit[] {
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
    everybody,
  ]
}

/** How long until there is room for one more; 0 or less where there is now. */
function waitOf({ times, max, window_ms }: Limit, now: number): number {
  if (max === 0) return window_ms
  const last = times[max - 1]
  return last === undefined ? 0 : last + window_ms - now
}
