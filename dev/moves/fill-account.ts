import { fillLedger } from '../../bench/ledger-rows.ts'
import { insertAccount } from '../../edge/accounts/queries.ts'
import type { Database } from '../../edge/platform/database/client.ts'

/** How many rows the account gets. */
export interface AccountSize {
  jobs: number
  ledger: number
  deliveries: number
}

const ROWS_AT_ONCE = 5000
/** Transitions of a job that has succeeded: queued, processing, done. */
const TRANSITIONS = 3

export async function openAccount(db: Database): Promise<number> {
  const email = `${crypto.randomUUID()}@example.com`
  const about = {
    email,
    emailKey: email,
    addressHash: email,
    mailboxHashes: [],
    fullName: null,
    passwordHash: null,
  }
  const row = await insertAccount(db, { ...about, isAdmin: false, createdAt: Date.now() })
  if (row === null) throw new Error('The account was not created.')
  return row.id
}

/**
 * Opens an account with a history: jobs that are done, with their transitions, ledger entries with allocations, and
 * webhook deliveries with one attempt each. The texts are as long as those of a typical job.
 */
export async function fillAccount(db: Database, size: AccountSize): Promise<number> {
  const account = await openAccount(db)
  await fillLedger(db, account, size.ledger)
  await fill(
    db,
    size.jobs,
    [
      `INSERT INTO jobs (id, account_id, service_slug, operation_key, params, dispatch, result_id, source, status, progress,
        estimated_cost, tariff, final_cost, processing_ms, result, metadata, moves, fence, heard_at, created_at, started_at,
        finished_at, expires_at)
      SELECT 'job-' || :account || '-' || i, :account, 'video', 'compress', json_object('file_url', hex(zeroblob(60))),
        json_object('spec', hex(zeroblob(600))), 'result-' || :account || '-' || i, 'api', 'done', 100, 2,
        json_object('rate', 1), 0, 4000, json_object('key', hex(zeroblob(80))), '{}', 3, 1, :now, :now - i * 1000, :now,
        :now, :now FROM n`,
      `INSERT INTO job_moves (job_id, number, status, created_at)
      SELECT 'job-' || :account || '-' || i, t.number, t.status, :now FROM n, (SELECT 1 AS number, 'queued' AS status
        UNION ALL SELECT 2, 'processing' UNION ALL SELECT ${TRANSITIONS}, 'done') t`,
    ],
    account,
  )
  await fill(
    db,
    size.deliveries,
    [
      `INSERT INTO webhook_deliveries (id, account_id, job_id, type, url, status, attempts, response_status, created_at,
        retry_until, last_attempt_at)
      SELECT 'msg-' || :account || '-' || i, :account, 'job-' || :account || '-' || i, 'job.done',
        'https://hooks.example.org/jobs', 'delivered', 1, 200, :now, :now, :now FROM n`,
      `INSERT INTO webhook_attempts (delivery_id, response_status, duration_ms, response_body, created_at)
      SELECT 'msg-' || :account || '-' || i, 200, 90, 'ok', :now FROM n`,
    ],
    account,
  )
  return account
}

/** Runs statements for the numbers 1 to `count`, which they find in `n`. */
async function fill(
  db: Database,
  count: number,
  statements: readonly string[],
  account: number,
): Promise<void> {
  const now = Date.now()
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    const last = Math.min(count, first + ROWS_AT_ONCE - 1)
    const numbers = `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`
    await db.$client.batch(
      statements.map((sql) => ({
        sql: sql.replace('SELECT', `${numbers} SELECT`),
        args: { account, ...(sql.includes(':now') && { now }) },
      })),
      'write',
    )
  }
}
