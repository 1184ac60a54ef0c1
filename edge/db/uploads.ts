import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database, Statement } from './client.ts'
import { commit } from './commit.ts'
import { partUploads, uploads } from './schema.ts'
import { type UsageSource, usageStatements } from './usage.ts'

export type Upload = typeof uploads.$inferSelect

export async function insertUpload(
  db: Database,
  upload: typeof uploads.$inferInsert & { accountId: number | null },
  source: UsageSource,
  beside: Statement[] = [],
): Promise<void> {
  const { accountId, createdAt } = upload
  const none = { serviceSlug: null, operationKey: null, jobId: null, credits: 0 }
  await commit(db, [
    db.insert(uploads).values(upload),
    ...usageStatements(db, { ...none, accountId, source, action: 'upload', createdAt }),
    ...beside,
  ])
}

export function uploadQuery(db: Database, key: string) {
  return db.select().from(uploads).where(eq(uploads.key, key))
}

export function uploadsQuery(db: Database, keys: string[]) {
  return db.select().from(uploads).where(inArray(uploads.key, keys))
}

/** Keeps uploads for as long as a job that was just submitted may need them. */
export function keepUploadsStatements(db: Database, keys: string[], until: number): Statement[] {
  if (keys.length === 0) return []
  return [
    db
      .update(uploads)
      .set({ expiresAt: sql`max(${uploads.expiresAt}, ${until})` })
      .where(inArray(uploads.key, keys)),
  ]
}

export function listExpiredUploads(db: Database, now: number, limit: number) {
  return db.select({ key: uploads.key }).from(uploads).where(lte(uploads.expiresAt, now)).limit(limit)
}

export function deleteUploadStatements(db: Database, keys: string[]): Statement[] {
  if (keys.length === 0) return []
  const isComplete = isNotNull(partUploads.completedAt)
  return [
    db.delete(uploads).where(inArray(uploads.key, keys)),
    // One that never was completed is still to be aborted.
    db.delete(partUploads).where(and(inArray(partUploads.key, keys), isComplete)),
  ]
}

/** Remembers what uploads' first bytes say they are, so that nobody looks twice. */
export async function rememberKinds(
  db: Database,
  kinds: ReadonlyMap<string, NonNullable<Upload['kind']>>,
): Promise<void> {
  await commit(
    db,
    [...kinds].map(([key, kind]) => db.update(uploads).set({ kind }).where(eq(uploads.key, key))),
  )
}

/** What an upload turned out to be, once all of it had come in. */
export async function measureUpload(
  db: Database,
  key: string,
  found: { sizeBytes: number; kind: NonNullable<Upload['kind']> },
): Promise<void> {
  await db.update(uploads).set(found).where(eq(uploads.key, key))
}
