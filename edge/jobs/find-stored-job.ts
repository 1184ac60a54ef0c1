import { type Archived, readById } from '../platform/database/archive.ts'
import { jobQuery, type StoredJob } from './queries.ts'

/** Finds a job, also in the archive. */
export async function findStoredJob(databases: Archived, id: string): Promise<StoredJob | undefined> {
  const [job] = await readById(databases, [id], (db) => jobQuery(db, id))
  return job
}
