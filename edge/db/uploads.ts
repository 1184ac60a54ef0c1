import { eq } from 'drizzle-orm'
import type { Database } from './client.ts'
import { uploads } from './schema.ts'

export type Upload = typeof uploads.$inferSelect

export async function insertUpload(db: Database, upload: typeof uploads.$inferInsert): Promise<void> {
  await db.insert(uploads).values(upload)
}

export function uploadQuery(db: Database, key: string) {
  return db.select().from(uploads).where(eq(uploads.key, key))
}

/** Remembers what an upload's first bytes say it is, so that nobody looks twice. */
export async function rememberKind(
  db: Database,
  key: string,
  kind: NonNullable<Upload['kind']>,
): Promise<void> {
  await db.update(uploads).set({ kind }).where(eq(uploads.key, key))
}
