import { and, eq, gt, inArray, isNotNull, isNull, lte, min, type SQL, sql } from 'drizzle-orm'
import type { KeptFile } from '../jobs/rules/retention.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { outbox, partUploads, uploads, usageEvents } from '../tables.ts'
import type { UsageSource } from '../usage/queries.ts'

export type Upload = typeof uploads.$inferSelect

export function insertUploadStatement(db: Database, upload: typeof uploads.$inferInsert): Statement {
  return db.insert(uploads).values(upload)
}

/** Those whose open uploads count together: an account, or the anonymous callers of an address or of a block. */
export type Uploader = { accountId: number } | { addressKey: string } | { blockKey: string }

/** Repeats the exact conditions of the partial indexes, because SQLite uses an index only if they match. */
const IS_UNUSED = sql`uses = 0`
const HAS_BLOCK = sql`block_key IS NOT NULL`

function isOf(uploader: Uploader): SQL | undefined {
  if ('accountId' in uploader) return eq(uploads.accountId, uploader.accountId)
  if ('addressKey' in uploader) return eq(uploads.addressKey, uploader.addressKey)
  return and(HAS_BLOCK, eq(uploads.blockKey, uploader.blockKey))
}

/** Selects the total size of the open uploads, and when the first of them expires; null if there are none. */
export function openBytesQuery(db: Database, uploader: Uploader, now: number) {
  const bytes = sql<number>`coalesce(sum(${uploads.sizeBytes}), 0)`.mapWith(Number)
  return db
    .select({ bytes: bytes.as('bytes'), expires_at: min(uploads.expiresAt) })
    .from(uploads)
    .where(and(isOf(uploader), IS_UNUSED, gt(uploads.expiresAt, now)))
}

/** Makes a commit that adds an upload fail as a lost race if the open uploads exceed the given size. */
export function openBytesGuard(db: Database, uploader: Uploader, bytes_max: number, now: number): Statement {
  const open = openBytesQuery(db, uploader, now)
  return guardStatement(db, sql`(SELECT bytes FROM (${open})) <= ${bytes_max}`)
}

/** Returns a statement that changes until when an upload is kept. */
export function keepUploadStatement(db: Database, key: string, expiresAt: number): Statement {
  return db.update(uploads).set({ expiresAt }).where(eq(uploads.key, key))
}

export function uploadQuery(db: Database, key: string) {
  return uploadsQuery(db, [key])
}

export function uploadsQuery(db: Database, keys: string[]) {
  return db
    .select()
    .from(uploads)
    .where(and(inArray(uploads.key, keys), isNull(uploads.deletedAt)))
}

/**
 * Returns statements that extend the retention of the uploads of submitted jobs, which are no longer open.
 * @param keys of each job's uploads
 */
export function useUploadsStatements(
  db: Database,
  keys: string[][],
  { until, age_ms_max }: KeptFile,
): Statement[] {
  return byJobs(keys).map(([jobs, some]) =>
    db
      .update(uploads)
      .set({
        readers: sql`${uploads.readers} + ${jobs}`,
        uses: sql`${uploads.uses} + ${jobs}`,
        expiresAt: sql`max(${uploads.expiresAt}, min(${until}, ${uploads.createdAt} + ${age_ms_max}))`,
      })
      .where(inArray(uploads.key, some)),
  )
}

/**
 * Returns statements that make uploads open again whose jobs have failed or were canceled: these jobs cost nothing, so
 * storage for their uploads would have no limit.
 */
export function releaseUploadsStatements(db: Database, keys: string[][]): Statement[] {
  return byJobs(keys).map(([jobs, some]) =>
    db
      .update(uploads)
      .set({ uses: sql`max(0, ${uploads.uses} - ${jobs})` })
      .where(inArray(uploads.key, some)),
  )
}

/** Groups keys by the number of jobs that have them. */
function byJobs(keys: string[][]): [number, string[]][] {
  const jobs = new Map<string, number>()
  for (const key of keys.flatMap((some) => [...new Set(some)])) jobs.set(key, (jobs.get(key) ?? 0) + 1)
  return [...Map.groupBy(jobs.keys(), (key) => jobs.get(key) ?? 0)]
}

/** Returns statements for the deletion of a job whose uploads other jobs also read. */
export function forgetReaderStatements(db: Database, keys: string[]): Statement[] {
  if (keys.length === 0) return []
  return [
    db
      .update(uploads)
      .set({ readers: sql`${uploads.readers} - 1` })
      .where(inArray(uploads.key, keys)),
  ]
}

/** Selects an upload if as many jobs have read it as when it was loaded. */
export function unchangedReadersQuery(db: Database, { key, readers }: Pick<Upload, 'key' | 'readers'>) {
  return db
    .select({ key: uploads.key })
    .from(uploads)
    .where(and(eq(uploads.key, key), eq(uploads.readers, readers), isNull(uploads.deletedAt)))
}

export function listExpiredUploads(db: Database, now: number, limit: number) {
  return db
    .select({ key: uploads.key })
    .from(uploads)
    .where(and(lte(uploads.expiresAt, now), isNotMoving(uploads.accountId)))
    .limit(limit)
}

/**
 * Longest time from the start of an upload until its file can arrive: a signature is valid for up to six hours, and the
 * transfer that it begins may be slow.
 */
const ARRIVAL_MS_MAX = 24 * 60 * 60 * 1000

/**
 * Returns statements that delete uploads. One whose signed PUT is still valid keeps its row, and counts, until that
 * expires: else the same bytes could be signed without end. A file that arrives later is deleted after the last possible
 * arrival, so it stays in no storage for good.
 */
export function deleteUploadStatements(db: Database, keys: string[], now: number): Statement[] {
  if (keys.length === 0) return []
  const isTheirs = inArray(uploads.key, keys)
  const isSigned = and(gt(uploads.putExpiresAt, now), IS_UNUSED)
  const isGone = sql`${isTheirs} AND (${isSigned}) IS NOT TRUE`
  const isComplete = isNotNull(partUploads.completedAt)
  const lastArrival = sql`${uploads.createdAt} + ${ARRIVAL_MS_MAX}`
  return [
    db
      .update(uploads)
      .set({ deletedAt: now, filename: '', expiresAt: sql`${uploads.putExpiresAt}` })
      .where(and(isTheirs, isSigned)),
    db.insert(outbox).select(sql`
      SELECT 'purge:late:' || ${uploads.key}, 'purge', json_object('keys', json_array(${uploads.key})), 0,
        ${lastArrival}, ${lastArrival}
      FROM ${uploads} WHERE ${isGone} AND ${lastArrival} > ${now}`),
    db.delete(uploads).where(isGone),
    // Keeps incomplete ones, which must still be aborted.
    db.delete(partUploads).where(and(inArray(partUploads.key, keys), isComplete)),
  ]
}

/** Stores the length of an upload. Changes nothing for the key of a result. */
export function noteLengthStatement(db: Database, key: string, durationSeconds: number): Statement {
  return db.update(uploads).set({ durationSeconds }).where(eq(uploads.key, key))
}

/** What is known of an upload once its content was checked. */
export type Content = { kind: NonNullable<Upload['kind']>; etag: string }

type Found = Partial<Pick<Upload, 'sizeBytes' | 'expiresAt'>> & Content

/** Where the verification of an upload came from, and its time. */
interface Finding {
  source: UsageSource
  now: number
}

/**
 * Returns statements that store the verified properties of an upload. The first verification also adds the
 * usage event.
 */
export function measureStatements(
  db: Database,
  key: string,
  found: Found,
  { source, now }: Finding,
): Statement[] {
  return [
    db.insert(usageEvents).select(sql`
      SELECT NULL, ${uploads.accountId}, ${source}, 'upload', NULL, NULL, NULL, 0, ${now}
      FROM ${uploads} WHERE ${uploads.key} = ${key} AND ${uploads.kind} IS NULL`),
    db.update(uploads).set(found).where(eq(uploads.key, key)),
  ]
}

export async function measureUpload(
  db: Database,
  key: string,
  found: Found,
  finding: Finding,
): Promise<void> {
  await commit(db, measureStatements(db, key, found, finding))
}

/** Stores the checked contents of uploads by key, so that they are checked only once. */
export async function rememberContents(
  db: Database,
  contents: ReadonlyMap<string, Content>,
  finding: Finding,
): Promise<void> {
  await commit(
    db,
    [...contents].flatMap(([key, content]) => measureStatements(db, key, content, finding)),
  )
}
