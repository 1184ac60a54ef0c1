import type { Locale } from '../../../shared/text/texts.ts'
import type { QuotaPolicy } from '../../platform/quotas/rules/lease.ts'
import { DAY_MS } from '../../platform/rules/days.ts'

/** Lifetime of a link. Contract: Accounts, Password reset. */
export const LINK_LIVES_MS = 30 * 60 * 1000
const MINUTE_MS = 60 * 1000

/**
 * How many links of an account can be usable at once. Further requests send no email. The limit on emails counts usable
 * links only: whenever it is reached, the mailbox has links that the owner can use, regardless of who requested them.
 */
export const USABLE_LINKS_MAX = 3

/**
 * Returns the limits on requests for one address from one network: one per minute and five per day. They are counted
 * per network, so that nobody else can use up the owner's requests.
 */
export function pairPolicies(pair: string): QuotaPolicy[] {
  return [
    { name: 'minute', limit: 1, window_ms: MINUTE_MS, counter: `minute ${pair}` },
    { name: 'day', limit: 5, window_ms: DAY_MS, counter: `day ${pair}` },
  ]
}

/** Returns the limit on requests from one network. */
export function networkPolicy(limit: number): QuotaPolicy {
  return { name: 'password-resets', limit, window_ms: 60 * MINUTE_MS }
}

/** Returns the URL of the page that sets a password. The token is in the fragment, which is never logged. */
export function resetUrl(publicUrl: string, token: string, locale: Locale): string {
  return `${publicUrl}/auth/reset-password?lang=${locale}#${token}`
}
