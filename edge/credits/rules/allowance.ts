import { dueMonths, isRunning, type RunningTerm, type TermMonth } from '../../subscriptions/rules/terms.ts'
import { andThen, type Change, type Credits, expire, grant, unchanged } from './ledger.ts'

/** The daily free allowance lives about a day: until the next one. Contract: Credits, Daily allowance. */
export const ALLOWANCE_MS = 24 * 60 * 60 * 1000

/** The welcome grant expires 90 days after it is paid. Contract: Credits, Kinds and expiry. */
export const WELCOME_MS = 90 * 24 * 60 * 60 * 1000

export interface AllowanceFacts {
  now: number
  /** When the newest daily allowance lapses or lapsed; null when there was none. */
  allowance_until: number | null
  email_verified: boolean
  /** The term that has not been closed, if there is one. */
  term: RunningTerm | null
  settings: { daily_free_credits: number; daily_free_unconfirmed: boolean }
}

/**
 * Brings credits up to the present: what lapsed is taken out, the months of a plan that are due land, each
 * when the one before it lapsed, and a daily allowance that is due lands. Neither is ever accumulated. No
 * daily allowance lands while a paid plan runs.
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

/** One month's allowance, which lapses at the end of the month. */
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

/** Causes are unique over all accounts, and those of lapsing and of daily allowances are numbered within one. */
function named(change: Change, accountId: number): Change {
  return {
    ...change,
    entries: change.entries.map((entry) =>
      entry.delivers === null ? { ...entry, cause: `${accountId}:${entry.cause}` } : entry,
    ),
  }
}
