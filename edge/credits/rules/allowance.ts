import { dueMonths, isRunning, type RunningTerm, type TermMonth } from '../../subscriptions/rules/terms.ts'
import { andThen, type Change, type Credits, expire, grant, unchanged } from './ledger.ts'

/** A daily allowance expires after 24 hours, when the next one is due. Contract: Credits, Daily allowance. */
export const ALLOWANCE_MS = 24 * 60 * 60 * 1000

/** The welcome grant expires after 90 days. Contract: Credits, Kinds and expiry. */
export const WELCOME_MS = 90 * 24 * 60 * 60 * 1000

export interface AllowanceFacts {
  now: number
  /** When the newest daily allowance expires; null if there is none. */
  allowance_until: number | null
  email_verified: boolean
  /** The open term, if any. */
  term: RunningTerm | null
  settings: { daily_free_credits: number; daily_free_unconfirmed: boolean }
}

/**
 * Settles credits at a point in time: expires grants, delivers each due month of a plan when the previous one
 * expires, and grants a due daily allowance. Nothing accumulates, and no daily allowance is granted while a paid
 * plan is running.
 */
export function settle(credits: Credits, facts: AllowanceFacts & { account_id: number }): Change {
  const { now, settings } = facts
  const current = andThen(deliverMonths(credits, facts), (left) => expire(left, now))
  if (!isAllowanceDue(facts)) return named(current, facts.account_id)
  return named(
    andThen(current, (left) =>
      grant(left, {
        kind: 'daily_free',
        amount: settings.daily_free_credits,
        expires_at: now + ALLOWANCE_MS,
        cause: `daily:${left.sequence + 1}`,
      }),
    ),
    facts.account_id,
  )
}

function isAllowanceDue({ now, allowance_until, email_verified, term, settings }: AllowanceFacts): boolean {
  if (settings.daily_free_credits === 0 || isRunning(term, now)) return false
  if (!email_verified && !settings.daily_free_unconfirmed) return false
  return allowance_until === null || allowance_until <= now
}

export interface NextAllowance {
  credits: number
  lands_at: number
}

/**
 * Returns the daily allowance that lands after these facts were settled; null if none will. Contract: Credits, Balance.
 */
export function nextAllowance(facts: AllowanceFacts): NextAllowance | null {
  const { now, allowance_until, settings } = facts
  const isOffered = isAllowanceDue({ ...facts, allowance_until: null })
  if (!isOffered) return null
  const isWaiting = allowance_until !== null && allowance_until > now
  return {
    credits: settings.daily_free_credits,
    lands_at: isWaiting ? allowance_until : now + ALLOWANCE_MS,
  }
}

function deliverMonths(credits: Credits, { term, now }: AllowanceFacts): Change {
  if (term === null) return unchanged(credits)
  return dueMonths(term.undelivered, now).reduce<Change>(
    (change, month) =>
      andThen(
        andThen(change, (current) => expire(current, month.starts_at)),
        (current) => deliverMonth(current, term.id, month),
      ),
    unchanged(credits),
  )
}

/** Grants one month's allowance, which expires at the end of the month. */
export function deliverMonth(credits: Credits, subscriptionId: string, month: TermMonth): Change {
  return grant(credits, {
    kind: 'subscription',
    amount: month.credits,
    expires_at: month.ends_at,
    order_id: month.order_id,
    cause: `term:${subscriptionId}:${month.number}`,
    delivers: { subscription_id: subscriptionId, number: month.number },
  })
}

/**
 * Makes each entry's cause unique across accounts, because expirations and daily allowances are numbered per
 * account.
 */
function named(change: Change, accountId: number): Change {
  return {
    ...change,
    entries: change.entries.map((entry) =>
      entry.delivers === null ? { ...entry, cause: `${accountId}:${entry.cause}` } : entry,
    ),
  }
}
