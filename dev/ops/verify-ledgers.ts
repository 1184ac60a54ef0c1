import type { OpsDeps } from './open-deps.ts'

/** Matches accounts between the parameters. Leaves out those of which a database has only a part: they arrive or have left. */
const isChecked = (account: string) => `${account} > ?1 AND ${account} <= ?2
  AND ${account} NOT IN (SELECT m.account_id FROM account_moves m WHERE m.state NOT IN ('copying', 'leaving'))`

/**
 * Each query returns the rows that break one rule of the ledger, with a sentence about each. Its parameters are the account
 * after which it begins and the last one. An archive has jobs, but no accounts and no ledger: a job moves there only if its
 * price is what was charged.
 */
const CHECKS = [
  `SELECT 'account ' || account_id || ': the entries are not numbered without gaps' AS fault
   FROM ledger WHERE ${isChecked('account_id')} GROUP BY account_id HAVING count(*) <> max(sequence)`,
  `SELECT 'account ' || account_id || ': entry ' || sequence || ' does not continue the balance' AS fault
   FROM (SELECT account_id, sequence, balance_after,
     sum(amount) OVER (PARTITION BY account_id ORDER BY sequence) AS total FROM ledger WHERE ${isChecked('account_id')})
   WHERE balance_after <> total`,
  `SELECT 'account ' || g.account_id || ': grant ' || g.sequence || ' does not match its allocations' AS fault
   FROM grants g LEFT JOIN (SELECT account_id, grant_sequence, sum(amount) AS total FROM allocations
     WHERE account_id > ?1 AND account_id <= ?2 GROUP BY account_id, grant_sequence) a
     ON a.account_id = g.account_id AND a.grant_sequence = g.sequence
   WHERE ${isChecked('g.account_id')} AND g."left" <> g.amount + coalesce(a.total, 0)`,
  `SELECT 'account ' || l.account_id || ': entry ' || l.sequence || ' does not match its allocations' AS fault
   FROM ledger l WHERE ${isChecked('l.account_id')} AND l.amount <>
     coalesce((SELECT g.amount FROM grants g WHERE g.account_id = l.account_id AND g.sequence = l.sequence), 0) +
     coalesce((SELECT sum(a.amount) FROM allocations a
       WHERE a.account_id = l.account_id AND a.sequence = l.sequence), 0)`,
  `SELECT 'job ' || j.id || ': the price ' || j.final_cost || ' is not what was charged' AS fault
   FROM jobs j WHERE ${isChecked('j.account_id')} AND +j.status IN ('done', 'failed', 'canceled')
     AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = j.account_id)
     AND j.final_cost <> -coalesce((SELECT sum(l.amount) FROM ledger l WHERE l.job_id = j.id), 0)`,
  `SELECT 'order ' || o.id || ': it is credited but has no entry' AS fault FROM orders o
   WHERE ${isChecked('o.account_id')} AND +o.credited_at IS NOT NULL AND +o.kind = 'package'
     AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.order_id = o.id)`,
]

/** A query over many more would take longer than the database may take to answer. */
const ENTRIES_AT_ONCE = 200_000
const LAST_ACCOUNT = Number.MAX_SAFE_INTEGER

/** Checks the ledgers of all accounts. Returns a sentence for each fault. */
export async function verifyLedgers(
  { $client }: Pick<OpsDeps['db'], '$client'>,
  entries_at_once = ENTRIES_AT_ONCE,
): Promise<string[]> {
  const found: string[] = []
  for (let after = -1; after < LAST_ACCOUNT; ) {
    const { rows: next } = await $client.execute({
      sql: 'SELECT account_id FROM ledger WHERE account_id > ? ORDER BY account_id LIMIT 1 OFFSET ?',
      args: [after, entries_at_once],
    })
    const through = Number(next[0]?.account_id ?? LAST_ACCOUNT)
    for (const sql of CHECKS) {
      const { rows } = await $client.execute({ sql, args: [after, through] })
      found.push(...rows.map(({ fault }) => String(fault)))
    }
    after = through
  }
  return found
}
