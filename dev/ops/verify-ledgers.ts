import type { OpsDeps } from './open-deps.ts'

/** Leaves out accounts of which a database has only a part, because they arrive or have left. */
const isWhole = (account: string) =>
  `${account} NOT IN (SELECT m.account_id FROM account_moves m WHERE m.state NOT IN ('copying', 'leaving'))`

/**
 * Each query returns the rows that break one rule of the ledger, with a sentence about each. An archive has jobs, but no
 * accounts and no ledger: a job moves there only if its price is what was charged.
 */
const CHECKS = [
  `SELECT 'account ' || account_id || ': the entries are not numbered without gaps' AS fault
   FROM ledger WHERE ${isWhole('account_id')} GROUP BY account_id HAVING count(*) <> max(sequence)`,
  `SELECT 'account ' || account_id || ': entry ' || sequence || ' does not continue the balance' AS fault
   FROM (SELECT account_id, sequence, balance_after,
     sum(amount) OVER (PARTITION BY account_id ORDER BY sequence) AS total FROM ledger)
   WHERE balance_after <> total AND ${isWhole('account_id')}`,
  `SELECT 'account ' || g.account_id || ': grant ' || g.sequence || ' does not match its allocations' AS fault
   FROM grants g WHERE ${isWhole('g.account_id')} AND g."left" <> g.amount + coalesce((SELECT sum(a.amount) FROM allocations a
     WHERE a.account_id = g.account_id AND a.grant_sequence = g.sequence), 0)`,
  `SELECT 'account ' || l.account_id || ': entry ' || l.sequence || ' does not match its allocations' AS fault
   FROM ledger l WHERE ${isWhole('l.account_id')} AND l.amount <>
     coalesce((SELECT g.amount FROM grants g WHERE g.account_id = l.account_id AND g.sequence = l.sequence), 0) +
     coalesce((SELECT sum(a.amount) FROM allocations a
       WHERE a.account_id = l.account_id AND a.sequence = l.sequence), 0)`,
  `SELECT 'job ' || j.id || ': the price ' || j.final_cost || ' is not what was charged' AS fault
   FROM jobs j WHERE j.account_id IN (SELECT id FROM accounts) AND ${isWhole('j.account_id')} AND j.status IN ('done', 'failed', 'canceled')
     AND j.final_cost <> -coalesce((SELECT sum(l.amount) FROM ledger l WHERE l.job_id = j.id), 0)`,
  `SELECT 'order ' || o.id || ': it is credited but has no entry' AS fault FROM orders o
   WHERE o.credited_at IS NOT NULL AND o.kind = 'package' AND ${isWhole('o.account_id')}
     AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.order_id = o.id)`,
]

/** Checks the ledgers of all accounts. Returns a sentence for each fault. */
export async function verifyLedgers(db: OpsDeps['db']): Promise<string[]> {
  const found: string[] = []
  for (const sql of CHECKS) {
    const { rows } = await db.$client.execute(sql)
    found.push(...rows.map(({ fault }) => String(fault)))
  }
  return found
}
