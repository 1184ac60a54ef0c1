import { asc, inArray } from 'drizzle-orm'
import type { JobState } from '../rules/jobs.ts'
import type { Database } from './client.ts'
import { jobMoves, jobs } from './schema.ts'

/** The little of many jobs that tells whether anything happened. */
export function listProgress(db: Database, ids: string[]) {
  return db
    .select({ id: jobs.id, moves: jobs.moves, progress: jobs.progress })
    .from(jobs)
    .where(inArray(jobs.id, ids))
}

/** Every state that jobs came to, the oldest first. */
export async function listMoves(db: Database, ids: string[]) {
  const rows = await db
    .select()
    .from(jobMoves)
    .where(inArray(jobMoves.jobId, ids))
    .orderBy(asc(jobMoves.number))
  return rows.map(({ jobId, number, status, createdAt }) => ({
    job_id: jobId,
    number,
    status: status as JobState,
    at: createdAt,
  }))
}
