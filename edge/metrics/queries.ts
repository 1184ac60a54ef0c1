import { count, sql } from 'drizzle-orm'
import { isStopped } from '../databases/report-frozen.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database } from '../platform/database/client.ts'
import { accountMoves } from '../tables.ts'

/** Number of ledger entries that a scrape checks, from the newest. */
const ENTRIES_CHECKED = 200

/** Effects of the outbox by kind. */
export const outboxQuery = (db: Database) =>
  db.all<{ kind: string; count: number; created_at: number; due_at: number }>(sql`
    SELECT kind, count(*) AS count, min(created_at) AS created_at, min(due_at) AS due_at
    FROM outbox GROUP BY kind`)

/** Open jobs by state. Reads only the index of open jobs and their rows. */
export const openJobsQuery = (db: Database) =>
  db.all<{ state: string; count: number; created_at: number }>(sql`
    SELECT status AS state, count(*) AS count, min(created_at) AS created_at
    FROM jobs INDEXED BY jobs_open WHERE status IN ('queued', 'processing') GROUP BY status`)

/** Events of received money, by the rule `carriesMoney` of edge/payments/rules/unmatched-events.ts. */
export const unmatchedPaymentsQuery = (db: Database) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM unmatched_events
    WHERE settled_at IS NULL AND (
      (kind = 'renewal' AND event ->> 'state' = 'paid') OR
      (kind = 'payment' AND event ->> 'state' IN ('paid', 'partially_paid') AND event ->> 'paid_cents' > 0))`)

/**
 * Accounts whose balance differs from the sum of their grants, among those that changed last. Leaves out accounts of
 * which only a part is here because they move. `ops verify` checks all accounts and all rules, which takes too long for a
 * scrape.
 */
export const ledgerFaultsQuery = (db: Database) =>
  db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (SELECT DISTINCT account_id FROM
      (SELECT account_id FROM ledger ORDER BY id DESC LIMIT ${ENTRIES_CHECKED})) changed
    WHERE ${isNotMoving(sql`changed.account_id`)}
      AND (SELECT balance_after FROM ledger WHERE account_id = changed.account_id ORDER BY sequence DESC LIMIT 1) <> (SELECT coalesce(sum("left"), 0) FROM grants WHERE account_id = changed.account_id AND "left" > 0)`)

/** Moves of accounts whose command was killed, by state. */
export const stoppedMovesQuery = async (db: Database, now: number) => {
  const { state } = accountMoves
  return db.select({ state, count: count() }).from(accountMoves).where(isStopped(now)).groupBy(state)
}
