import ipaddr from 'ipaddr.js'
import { DAY_MS } from '../../platform/rules/days.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const MESSAGE_LENGTH = { min: 10, max: 2000 }
const LINKS_MAX = 2

/** Why a message cannot be as long or short as it is; null where it can. Blanks around it don't count. */
export function findLengthFault(message: string): string | null {
  const { length } = [...message.trim()]
  if (length < MESSAGE_LENGTH.min) return `must have at least ${MESSAGE_LENGTH.min} characters`
  return length > MESSAGE_LENGTH.max ? `must have at most ${MESSAGE_LENGTH.max} characters` : null
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

/** Why an anonymous message is not taken for a person's; null where it is. Browsers let no page write these headers. */
export function findScriptSign({ origin, fetch_site, form_age_ms }: FormSigns, site: string): string | null {
  if (origin !== site || fetch_site !== 'same-origin') {
    return 'messages without an account are only taken from the form of this site; sign in to send them otherwise'
  }
  if (form_age_ms === null || form_age_ms > FORM_AGE_MS.max) {
    return 'the form is out of date; load it again and send the message once more'
  }
  return form_age_ms < FORM_AGE_MS.min ? 'the form was sent too fast; wait some seconds and try again' : null
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

export type FeedbackRefusal = { kind: 'duplicate' } | { kind: 'limit'; what: string; retry_seconds: number }

interface Limit {
  what: string
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
  if (facts.duplicate) return { kind: 'duplicate' }
  const refused = limitsOf(facts, signed_in, per_hour).flatMap((limit) => {
    const wait_ms = waitOf(limit, now)
    return wait_ms > 0 ? [{ what: limit.what, wait_ms }] : []
  })
  const [longest] = refused.sort((one, other) => other.wait_ms - one.wait_ms)
  if (longest === undefined) return null
  return { kind: 'limit', what: longest.what, retry_seconds: Math.ceil(longest.wait_ms / 1000) }
}

function limitsOf({ own, network, all }: FeedbackFacts, signed_in: boolean, per_hour: number): Limit[] {
  const everybody = { what: 'messages at the moment', times: all, max: per_hour, window_ms: HOUR_MS }
  if (signed_in) {
    return [
      { what: 'messages one after the other', times: own, max: 1, window_ms: 2 * MINUTE_MS },
      { what: 'messages from this account today', times: own, max: 20, window_ms: DAY_MS },
      everybody,
    ]
  }
  return [
    { what: 'messages one after the other', times: own, max: 1, window_ms: 15 * MINUTE_MS },
    { what: 'messages from this address today', times: own, max: 5, window_ms: DAY_MS },
    { what: 'messages from this network', times: network, max: 10, window_ms: HOUR_MS },
    everybody,
  ]
}

/** How long until there is room for one more; 0 or less where there is now. */
function waitOf({ times, max, window_ms }: Limit, now: number): number {
  if (max === 0) return window_ms
  const last = times[max - 1]
  return last === undefined ? 0 : last + window_ms - now
}
