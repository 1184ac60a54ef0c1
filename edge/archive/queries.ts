import type { InStatement, InValue } from '@libsql/client/web'
import { and, type SQL, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import type { Place } from '../platform/rules/paging.ts'
import { batches, jobs } from '../tables.ts'

/** An old job, and what may move. */
export interface OldJob extends Place {
  batch_id: string | null
  /** Size of its largest columns. */
  bytes: number
  /** The job can move alone. */
  is_movable: boolean
  /** The job is the first file of a batch that can move. */
  is_batch_movable: boolean
}

/**
 * Matches ended jobs that nothing needs in the database in use: their files are deleted, and no webhook or summary of them
 * is due. A job whose price is not what was charged stays, so that an operator finds it.
 * @param job alias of the table
 */
function isOver(job: string, before: number): SQL {
  const of = sql.raw(job)
  return sql`(${of}.status IN ('done', 'failed', 'canceled') AND ${of}.finished_at < ${before} AND ${of}.result IS NULL
    AND ${isNotMoving(sql`${of}.account_id`)}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.job_id = ${of}.id AND d.status = 'pending')
    AND NOT EXISTS (SELECT 1 FROM email_preferences p
      WHERE p.account_id = ${of}.account_id AND p.due_at IS NOT NULL AND p.notified_at < ${of}.finished_at)
    AND NOT (${of}.account_id IS NOT NULL AND ${of}.final_cost IS NOT NULL AND ${of}.final_cost <>
      -coalesce((SELECT sum(l.amount) FROM ledger l WHERE l.job_id = ${of}.id), 0)))`
}

/** Matches batches whose files have all ended as in isOver, and about which no webhook is due. */
function isBatchOver(batch: SQL, before: number): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM jobs f WHERE f.batch_id = ${batch} AND NOT ${isOver('f', before)})
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.job_id = ${batch} AND d.status = 'pending'))`
}

/** A file moves alone once its batch is in the archive. */
const isAlone = (job: string) =>
  sql`NOT EXISTS (SELECT 1 FROM batches b WHERE b.id = ${sql.raw(job)}.batch_id)`

/** Selects the next jobs that were created before the given time, oldest first. */
export function oldJobsQuery(before: number, after: Place, limit: number): SQL {
  return sql`
    SELECT j.id, j.created_at AS at, j.batch_id,
      octet_length(j.params) + octet_length(j.dispatch) + octet_length(j.metadata) AS bytes,
      ${isAlone('j')} AND ${isOver('j', before)} AS is_movable,
      j.batch_position = 0 AND NOT ${isAlone('j')} AND ${isBatchOver(sql`j.batch_id`, before)} AS is_batch_movable
    FROM jobs j WHERE j.created_at < ${before} AND (j.created_at, j.id) > (${after.at}, ${after.id})
    ORDER BY j.created_at, j.id LIMIT ${limit}`
}

export async function listOldJobs(
  db: Database,
  before: number,
  after: Place,
  limit: number,
): Promise<OldJob[]> {
  const rows = await db.all<Record<string, unknown>>(oldJobsQuery(before, after, limit))
  return rows.map((row) => ({
    id: String(row.id),
    at: Number(row.at),
    batch_id: row.batch_id === null ? null : String(row.batch_id),
    bytes: Number(row.bytes),
    is_movable: Boolean(row.is_movable),
    is_batch_movable: Boolean(row.is_batch_movable),
  }))
}

/** Lists the files of a batch with the sizes of their largest columns. */
export async function listFiles(db: Database, batch_id: string): Promise<{ id: string; bytes: number }[]> {
  const rows = await db.all<Record<string, unknown>>(sql`
    SELECT id, octet_length(params) + octet_length(dispatch) + octet_length(metadata) AS bytes
    FROM jobs WHERE batch_id = ${batch_id}`)
  return rows.map(({ id, bytes }) => ({ id: String(id), bytes: Number(bytes) }))
}

/** Returns true if usage of an old job is not in the daily totals yet, which read the job. */
export async function hasOldUsage(db: Database, before: number): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM usage_events
    WHERE id > (SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage') AND created_at < ${before} LIMIT 1`)
  return rows.length > 0
}

/** Returns true if a database has accounts, which an archive never has. */
export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.all(sql`SELECT 1 FROM accounts LIMIT 1`)).length > 0
}

const TABLES = { jobs, batches }
type MovedTable = keyof typeof TABLES

/** A row as the database stores it, by the names of its columns. */
export type StoredRow = Readonly<Record<string, InValue>>

/** Reads whole rows as the database stores them. */
export async function readRows(db: Database, table: MovedTable, ids: string[]): Promise<StoredRow[]> {
  const marks = ids.map(() => '?').join(', ')
  const sql = `SELECT * FROM ${table} WHERE id IN (${marks})`
  const { columns, rows } = await db.$client.execute({ sql, args: ids })
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])))
}

/** Hashes of an anonymous caller's address, by which open and unpaid jobs are counted. */
const LEFT_OUT = ['anonymous_key', 'anonymous_block', 'anonymous_number']

/** Writes rows to the archive, which replaces earlier copies. Foreign keys are off: the archive has no accounts. */
export async function writeRows(
  archive: Database,
  table: MovedTable,
  rows: readonly StoredRow[],
): Promise<void> {
  const statements = rows.map((row): InStatement => {
    const kept = Object.entries(row).filter(([name]) => !LEFT_OUT.includes(name))
    const names = kept.map(([name]) => `"${name}"`)
    const marks = kept.map(() => '?')
    return {
      sql: `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')})`,
      args: kept.map(([, value]) => value),
    }
  })
  if (statements.length > 0) await archive.$client.migrate(statements)
}

/** Deletes a job if it is still the row that was read, and nothing needs it here. */
export function deleteJobStatement(db: Database, row: StoredRow, before: number): Statement {
  return deleteStatement(db, 'jobs', row, sql`${isAlone('jobs')} AND ${isOver('jobs', before)}`)
}

/** Deletes a batch if it is still the row that was read, and nothing needs it or its files. */
export function deleteBatchStatement(db: Database, row: StoredRow, before: number): Statement {
  return deleteStatement(db, 'batches', row, isBatchOver(sql`batches.id`, before))
}

function deleteStatement(db: Database, table: MovedTable, row: StoredRow, condition: SQL): Statement {
  const same = Object.entries(row).map(([name, value]) => sql`${sql.identifier(name)} IS ${value}`)
  return db.delete(TABLES[table]).where(and(...same, condition))
}
