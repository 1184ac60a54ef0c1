import { hasJob } from '../../edge/jobs/queries.ts'
import { atRow } from '../../edge/platform/database/find-place.ts'
import { ATTEMPTS_PER_DISPATCH } from '../../shared/protocol/job-report.ts'
import type { OpsDeps } from './open-deps.ts'

type Row = Record<string, unknown>

const QUERIES = {
  job: `SELECT id, account_id, key_id, status, progress, service_slug, operation_key, source, batch_id,
    substr(json_extract(dispatch, '$.traceparent'), 4, 32) AS trace_id,
    json_extract(dispatch, '$.dispatch') AS dispatch, json_extract(dispatch, '$.priority') AS priority, fence,
    estimated_cost, final_cost, processing_ms, error_code, error, created_at, started_at, heard_at, finished_at,
    expires_at, purged_at FROM jobs WHERE id = ?`,
  transitions: 'SELECT created_at, number, status FROM job_moves WHERE job_id = ? ORDER BY number',
  charges: `SELECT created_at, sequence, entry_type, amount, balance_after, cause FROM ledger
    WHERE job_id = ? ORDER BY sequence`,
  outbox: `SELECT created_at, id, kind, attempts, due_at FROM outbox
    WHERE id LIKE '%' || ? || '%' ORDER BY created_at`,
}

/** Reads everything that the databases know about a job; null if there is no such job. */
export async function traceJob(deps: OpsDeps, id: string): Promise<string | null> {
  const { archive } = deps
  const { db } = await atRow(deps, ({ db: each }) => hasJob(each, id))
  const read = async (sql: string, from = db) =>
    (await from.$client.execute({ sql, args: [id] })).rows as unknown as Row[]
  const [stored] = await read(QUERIES.job)
  const [job] = stored !== undefined || archive === null ? [stored] : await read(QUERIES.job, archive)
  if (job === undefined) return null
  const fence = Number(job.fence)
  const attempt =
    fence === 0
      ? 'none has reported'
      : `${fence % ATTEMPTS_PER_DISPATCH} of dispatch ${Math.floor(fence / ATTEMPTS_PER_DISPATCH)}`
  return [
    describe(job),
    `latest attempt  ${attempt}`,
    ...section('Transitions', await read(QUERIES.transitions)),
    ...section('Charges', await read(QUERIES.charges)),
    ...section('Effects that are not sent yet', await read(QUERIES.outbox)),
  ].join('\n')
}

function describe(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(16)}${show(name, value)}`)
    .join('\n')
}

function section(title: string, rows: readonly Row[]): string[] {
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => (name.endsWith('_at') ? show(name, value) : `${name}=${value}`))
      .join('  '),
  )
  return ['', title, ...(lines.length === 0 ? ['  none'] : lines.map((line) => `  ${line}`))]
}

function show(name: string, value: unknown): string {
  return name.endsWith('_at') ? new Date(Number(value)).toISOString() : String(value)
}
