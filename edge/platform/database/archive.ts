import type { Database } from './client.ts'

/** The database in use, and the one to which ended jobs and batches move; null if they stay. */
export interface Archived {
  db: Database
  archive: Database | null
}

/**
 * Reads rows by id, first from the database in use and then from the archive. A row is copied before it is deleted, so in
 * this order it is always found.
 * @param ids ids without duplicates
 */
export async function readById<Row extends { id: string }>(
  { db, archive }: Archived,
  ids: readonly string[],
  read: (db: Database, ids: string[]) => PromiseLike<Row[]>,
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await read(db, [...ids])
  if (archive === null || rows.length === ids.length) return rows
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  return [...rows, ...(await read(archive, missing))]
}
