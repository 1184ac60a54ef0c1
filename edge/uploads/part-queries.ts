import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { partUploads, uploads } from '../tables.ts'

export type PartUpload = typeof partUploads.$inferSelect

export function insertPartUploadStatement(db: Database, upload: typeof partUploads.$inferInsert): Statement {
  return db.insert(partUploads).values(upload)
}

/** Returns a multipart upload that has one of the given upload ids, with its row in `uploads`. */
export async function findPartUpload(db: Database, key: string, uploadIds: string[]) {
  const [row] = await db
    .select({ parts: partUploads, upload: uploads })
    .from(partUploads)
    .innerJoin(uploads, eq(uploads.key, partUploads.key))
    .where(and(eq(partUploads.key, key), inArray(partUploads.uploadId, uploadIds)))
  return row
}

/** Returns a multipart upload that is not complete. */
export async function findOpenParts(db: Database, key: string): Promise<PartUpload | undefined> {
  const [parts] = await db
    .select()
    .from(partUploads)
    .where(and(eq(partUploads.key, key), isNull(partUploads.completedAt)))
  return parts
}

/**
 * Returns a statement that stores the upload id of an upload that its client created at storage. The first id wins,
 * so only one upload per key gets its parts signed.
 */
export function claimUploadIdStatement(db: Database, key: string, uploadId: string): Statement {
  return db
    .update(partUploads)
    .set({ uploadId })
    .where(and(eq(partUploads.key, key), eq(partUploads.uploadId, '')))
}

/** Returns a statement that makes an incomplete upload expire no later than the given time. */
export function expirePartsStatement(db: Database, key: string, expiresAt: number): Statement {
  return db
    .update(partUploads)
    .set({ expiresAt: sql`min(${partUploads.expiresAt}, ${expiresAt})` })
    .where(eq(partUploads.key, key))
}

/** Returns a statement that marks the parts as complete. From then on, the file is treated like any other upload. */
export function completePartsStatement(db: Database, key: string, now: number): Statement {
  return db.update(partUploads).set({ completedAt: now }).where(eq(partUploads.key, key))
}

/** Lists expired multipart uploads. `isWanted` is false if the upload itself was deleted. */
export function listExpiredPartUploads(db: Database, now: number, limit: number) {
  return db
    .select({ parts: partUploads, isWanted: sql`${uploads.key} IS NOT NULL`.mapWith(Boolean) })
    .from(partUploads)
    .leftJoin(uploads, eq(uploads.key, partUploads.key))
    .where(and(lte(partUploads.expiresAt, now), isNotMoving(uploads.accountId)))
    .limit(limit)
}

export function forgetPartsStatement(db: Database, key: string): Statement {
  return db.delete(partUploads).where(eq(partUploads.key, key))
}
