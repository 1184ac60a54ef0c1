import { andThen, type Change, type Credits, expire, grant } from './ledger.ts'

/** The daily free allowance lives about a day: until the next one. Specification: Credits and time windows. */
export const ALLOWANCE_MS = 24 * 60 * 60 * 1000

export interface AllowanceFacts {
  now: number
  /** When the newest daily allowance lapses or lapsed; null when there was none. */
  allowance_until: number | null
  email_verified: boolean
  paid_plan: boolean
  settings: { daily_free_credits: number; daily_free_unconfirmed: boolean }
}

/**
 * Brings credits up to the present: what lapsed is taken out, and a daily allowance that is due lands.
 * Never accumulated: the last one has lapsed by then. None lands while a paid plan runs.
 */
export function settle(credits: Credits, facts: AllowanceFacts & { account_id: number }): Change {
  const { now, settings } = facts
  const current = expire(credits, now)
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

function isAllowanceDue({
  now,
  allowance_until,
  email_verified,
  paid_plan,
  settings,
}: AllowanceFacts): boolean {
  if (settings.daily_free_credits === 0 || paid_plan) return false
  if (!email_verified && !settings.daily_free_unconfirmed) return false
  return allowance_until === null || allowance_until <= now
}

/** Causes are unique over all accounts, and these two are numbered within one. */
function named(change: Change, accountId: number): Change {
  return {
    ...change,
    entries: change.entries.map((entry) => ({ ...entry, cause: `${accountId}:${entry.cause}` })),
  }
}
