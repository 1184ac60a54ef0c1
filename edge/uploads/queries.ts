import { and, eq, gt, inArray, isNotNull, isNull, lte, min, sql } from 'drizzle-orm'
import type { KeptFile } from '../jobs/rules/retention.ts'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { partUploads, uploads, usageEvents } from '../tables.ts'
import type { UsageSource } from '../usage/queries.ts'

export type Upload = typeof uploads.$inferSelect

export async function insertUpload(
  db: Database,
  upload: typeof uploads.$inferInsert,
  extraStatements: Statement[] = [],
): Promise<void> {
  await commit(db, [db.insert(uploads).values(upload), ...extraStatements])
}

type Uploader = Pick<Upload, 'accountId' | 'addressKey'>

/** Matches a caller's uploads that no job or completion has verified yet. */
function isOpenOf({ accountId, addressKey }: Uploader, now: number) {
  const isTheirs =
    accountId === null ? eq(uploads.addressKey, addressKey ?? '') : eq(uploads.accountId, accountId)
  return and(isTheirs, isNull(uploads.kind), gt(uploads.expiresAt, now))
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
 * Makes the commit that inserts an upload fail as a lost race if the uploader's open uploads exceed the given size.
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

/** Returns statements that extend the retention of a submitted job's uploads. */
export function keepUploadsStatements(
  db: Database,
  keys: string[],
  { until, age_ms_max }: KeptFile,
): Statement[] {
  if (keys.length === 0) return []
  return [
    db
      .update(uploads)
      .set({ expiresAt: sql`max(${uploads.expiresAt}, min(${until}, ${uploads.createdAt} + ${age_ms_max}))` })
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

export function deleteUploadStatements(db: Database, keys: string[]): Statement[] {
  if (keys.length === 0) return []
  const isComplete = isNotNull(partUploads.completedAt)
  return [
    db.delete(uploads).where(inArray(uploads.key, keys)),
    // Keeps incomplete ones, which must still be aborted.
    db.delete(partUploads).where(and(inArray(partUploads.key, keys), isComplete)),
  ]
}

type Found = Partial<Pick<Upload, 'sizeBytes' | 'expiresAt'>> & { kind: NonNullable<Upload['kind']> }

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

/** Stores the detected kinds of uploads so that they are detected only once. */
export async function rememberKinds(
  db: Database,
  kinds: ReadonlyMap<string, Found['kind']>,
  finding: Finding,
): Promise<void> {
  await commit(
    db,
    [...kinds].flatMap(([key, kind]) => measureStatements(db, key, { kind }, finding)),
  )
}
