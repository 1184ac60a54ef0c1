import { batchJobsQuery } from '../jobs/list-queries.ts'
import type { Archived } from '../platform/database/archive.ts'
import type { Database } from '../platform/database/client.ts'
import { listBatchesQuery } from './queries.ts'

/** Batches of one database, and the response with their files. */
export type LoadedBatches = Awaited<ReturnType<typeof loadFrom>>

/**
 * Loads batches, newest first, and their files, also from the archive. A batch is copied with all files, and is the first
 * row that is then deleted, so each database has either all of it or none.
 */
export async function loadBatches({ db, archive }: Archived, ids: string[]): Promise<LoadedBatches[]> {
  const loaded = await loadFrom(db, ids)
  const missing = ids.filter((id) => !loaded.batches.some((batch) => batch.id === id))
  if (archive === null || missing.length === 0) return [loaded]
  return [loaded, await loadFrom(archive, missing)]
}

async function loadFrom(db: Database, ids: string[]) {
  // One transaction, so that a batch does not move between the queries.
  const [batches, answer] = await db.batch([listBatchesQuery(db, ids), batchJobsQuery(db, ids)])
  return { batches, answer: answer.filter(({ batchId }) => batches.some(({ id }) => id === batchId)) }
}
