import type { Credits, GrantKind } from '../../credits/rules/ledger.ts'

/** No daily allowance lands in a deleted account. */
export const NEVER = Number.MAX_SAFE_INTEGER

const ERASED_DOMAIN = 'deleted.invalid'

/** Returns the address that replaces the one of a deleted account. It can never receive email (RFC 2606). */
export function erasedAddress(accountId: number): string {
  return `account-${accountId}@${ERASED_DOMAIN}`
}

export function isErasedAddress(email: string): boolean {
  return email.endsWith(`@${ERASED_DOMAIN}`)
}

const PAID: readonly GrantKind[] = ['purchase', 'subscription']

/** The credits that an account loses with its deletion. */
export interface ExpiredCredits {
  expired_credits: number
  /** The part that was paid for, including months that were not delivered yet. */
  expired_paid_credits: number
}

/**
 * Adds up the credits that expire with an account. The months are those of the open term that were not delivered yet.
 */
export function addUpExpired(
  { balance, grants }: Credits,
  undelivered: readonly { credits: number }[],
): ExpiredCredits {
  const months = undelivered.reduce((sum, { credits }) => sum + credits, 0)
  const paid = grants.filter(({ kind }) => PAID.includes(kind)).reduce((sum, { left }) => sum + left, 0)
  return { expired_credits: balance + months, expired_paid_credits: paid + months }
}

interface Money {
  amount_cents: number
  currency: string
}

/** Adds up amounts by currency. */
export function addUpByCurrency(amounts: readonly Money[]): Money[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, own]) => ({
    amount_cents: own.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    currency,
  }))
}

/** Returns the time at which the newest daily allowance expires, or null if it already has. */
export function allowanceEnd({ grants }: Credits, known: number | null, now: number): number | null {
  const daily = grants.filter(({ kind }) => kind === 'daily_free').map(({ expires_at }) => expires_at ?? 0)
  const end = Math.max(known ?? 0, ...daily)
  return end > now ? end : null
}
