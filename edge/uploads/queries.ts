import { and, eq, gt, inArray, isNotNull, isNull, lte, min, sql } from 'drizzle-orm'
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

type Uploader = Pick<Upload, 'accountId' | 'addressKey'>

/** Matches a caller's open uploads: those that have not expired and that no job has used yet. */
function isOpenOf({ accountId, addressKey }: Uploader, now: number) {
  const isTheirs =
    accountId === null ? eq(uploads.addressKey, addressKey ?? '') : eq(uploads.accountId, accountId)
  return and(isTheirs, isNull(uploads.usedAt), gt(uploads.expiresAt, now))
}

const OPEN_BYTES = sql<number>`coalesce(sum(${uploads.sizeBytes}), 0)`.mapWith(Number)

/** Returns the total size of a caller's open uploads, and when the first of them expires; null if there are none. */
export async function sumOpenUploads(
  db: Database,
  uploader: Uploader,
  now: number,
): Promise<{ bytes: number; expires_at: number | null }> {
  const [found] = await db
    .select({ bytes: OPEN_BYTES, expires_at: min(uploads.expiresAt) })
    .from(uploads)
    .where(isOpenOf(uploader, now))
  return found ?? { bytes: 0, expires_at: null }
}

/**
 * Makes a commit that adds bytes fail as a lost race if the uploader's open uploads exceed the given size.
 */
export function openBytesGuard(
  db: Database,
  uploader: Uploader,
  { bytes_max, now }: { bytes_max: number; now: number },
): Statement {
  const open = db.select({ bytes: OPEN_BYTES }).from(uploads).where(isOpenOf(uploader, now))
  return guardStatement(db, sql`(${open}) <= ${bytes_max}`)
}

/** Returns a statement that extends an upload's retention. */
export function keepUploadStatement(db: Database, key: string, expiresAt: number): Statement {
  return db.update(uploads).set({ expiresAt }).where(eq(uploads.key, key))
}

export function uploadQuery(db: Database, key: string) {
  return db.select().from(uploads).where(eq(uploads.key, key))
}

export function uploadsQuery(db: Database, keys: string[]) {
  return db.select().from(uploads).where(inArray(uploads.key, keys))
}

/** Returns statements that extend the retention of a submitted job's uploads, which are no longer open. */
export function useUploadsStatements(
  db: Database,
  keys: string[],
  { until, age_ms_max }: KeptFile,
  now: number,
): Statement[] {
  if (keys.length === 0) return []
  return [
    db
      .update(uploads)
      .set({
        usedAt: sql`coalesce(${uploads.usedAt}, ${now})`,
        expiresAt: sql`max(${uploads.expiresAt}, min(${until}, ${uploads.createdAt} + ${age_ms_max}))`,
      })
      .where(inArray(uploads.key, keys)),
  ]
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
 * Returns statements that delete uploads. A file that still arrives with an old signature is deleted after the last
 * possible arrival, so it stays in no storage for good.
 */
export function deleteUploadStatements(db: Database, keys: string[], now: number): Statement[] {
  if (keys.length === 0) return []
  const isComplete = isNotNull(partUploads.completedAt)
  const lastArrival = sql`${uploads.createdAt} + ${ARRIVAL_MS_MAX}`
  return [
    db.insert(outbox).select(sql`
      SELECT 'purge:late:' || ${uploads.key}, 'purge', json_object('keys', json_array(${uploads.key})), 0,
        ${lastArrival}, ${lastArrival}
      FROM ${uploads} WHERE ${inArray(uploads.key, keys)} AND ${lastArrival} > ${now}`),
    db.delete(uploads).where(inArray(uploads.key, keys)),
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
