import { eq, inArray, lte } from 'drizzle-orm'
import type { Database, Statement } from './client.ts'
import { uploads } from './schema.ts'

export type Upload = typeof uploads.$inferSelect

export async function insertUpload(db: Database, upload: typeof uploads.$inferInsert): Promise<void> {
  await db.insert(uploads).values(upload)
}

export function uploadQuery(db: Database, key: string) {
  return db.select().from(uploads).where(eq(uploads.key, key))
}

export function listExpiredUploads(db: Database, now: number, limit: number): Promise<{ key: string }[]> {
  return db.select({ key: uploads.key }).from(uploads).where(lte(uploads.expiresAt, now)).limit(limit)
}

export function deleteUploadStatements(db: Database, keys: string[]): Statement[] {
  return keys.length === 0 ? [] : [db.delete(uploads).where(inArray(uploads.key, keys))]
}

/** Remembers what an upload's first bytes say it is, so that nobody looks twice. */
export async function rememberKind(
  db: Database,
  key: string,
  kind: NonNullable<Upload['kind']>,
): Promise<void> {
  await db.update(uploads).set({ kind }).where(eq(uploads.key, key))
}
