import { changeStatements, loadCredits } from '../edge/credits/queries.ts'
import { andThen, grant, unchanged } from '../edge/credits/rules/ledger.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { commit } from '../edge/platform/database/commit.ts'

const CHUNK_ROWS = 20_000
const GRANT_CREDITS = 1_000_000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Writes the history of a new account: one grant, followed by one-credit charges until it is used up. The rows are
 * generated in SQL, because there may be up to a million. Database triggers validate each row.
 */
export async function fillLedger(db: Database, account_id: number, rows: number): Promise<void> {
  if (rows === 0) return
  const amount = rows - 1
  const now = Date.now()
  const { credits } = await loadCredits(db, account_id)
  const cause = `bench:${account_id}:past`
  const initialGrant = grant(credits, { kind: 'adjust', amount, expires_at: null, cause })
  await commit(db, changeStatements(db, account_id, initialGrant, now))
  for (let first = 2; first <= rows; first += CHUNK_ROWS) {
    const last = Math.min(rows, first + CHUNK_ROWS - 1)
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last)'
    const args = { account_id, first, last, rows, now, prefix: `bench:${account_id}:` }
    await db.$client.batch(
      [
        {
          sql: `INSERT INTO ledger
            (account_id, sequence, entry_type, amount, balance_after, job_id, cause, created_at)
            ${numbers} SELECT :account_id, i, 'debit', -1, :rows - i, :prefix || i, :prefix || i, :now FROM n`,
          args,
        },
        {
          sql: `INSERT INTO allocations (account_id, sequence, grant_sequence, amount)
            ${numbers} SELECT :account_id, i, 1, -1 FROM n`,
          args: { account_id, first, last },
        },
        {
          sql: 'UPDATE grants SET "left" = :rows - :last WHERE account_id = :account_id AND sequence = 1',
          args: { account_id, last, rows },
        },
      ],
      'write',
    )
  }
}

/** Adds `count` grants, each of which expires one day after the previous one. */
export async function addGrants(db: Database, account_id: number, count: number): Promise<void> {
  const now = Date.now()
  const { credits } = await loadCredits(db, account_id)
  const change = Array.from({ length: count }, (_, index) => index + 1).reduce(
    (accumulated, number) =>
      andThen(accumulated, (current) =>
        grant(current, {
          kind: 'adjust',
          amount: GRANT_CREDITS,
          expires_at: now + number * DAY_MS,
          cause: `bench:${account_id}:grant:${number}`,
        }),
      ),
    unchanged(credits),
  )
  await commit(db, changeStatements(db, account_id, change, now))
}
