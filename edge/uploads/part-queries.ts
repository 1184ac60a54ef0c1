import { and, eq, lte } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { partUploads, uploads } from '../tables.ts'

export type PartUpload = typeof partUploads.$inferSelect

export function insertPartUploadStatement(db: Database, upload: typeof partUploads.$inferInsert): Statement {
  return db.insert(partUploads).values(upload)
}

/** Returns a multipart upload with its row in `uploads`. */
export async function findPartUpload(db: Database, key: string, uploadId: string) {
  const [row] = await db
    .select({ parts: partUploads, upload: uploads })
    .from(partUploads)
    .innerJoin(uploads, eq(uploads.key, partUploads.key))
    .where(and(eq(partUploads.key, key), eq(partUploads.uploadId, uploadId)))
  return row
}

/** Returns a statement that marks the parts as complete. From then on, the file is treated like any other upload. */
export function completePartsStatement(db: Database, key: string, now: number): Statement {
  return db.update(partUploads).set({ completedAt: now }).where(eq(partUploads.key, key))
}

export function listExpiredPartUploads(db: Database, now: number, limit: number): Promise<PartUpload[]> {
  return db.select().from(partUploads).where(lte(partUploads.expiresAt, now)).limit(limit)
}

export function forgetPartsStatement(db: Database, key: string): Statement {
  return db.delete(partUploads).where(eq(partUploads.key, key))
}
