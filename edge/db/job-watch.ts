import { and, asc, inArray, notInArray } from 'drizzle-orm'
import type { Database } from './client.ts'
import { jobMoves, jobs } from './schema.ts'

/** The little of many jobs that tells whether anything happened. */
export function listProgress(db: Database, ids: string[]) {
  return db
    .select({ id: jobs.id, moves: jobs.moves, progress: jobs.progress })
    .from(jobs)
    .where(inArray(jobs.id, ids))
}

/** Every state that jobs came to, the oldest first; and the jobs themselves that are over. */
export async function listMovesAndEnded(db: Database, ids: string[]) {
  const [moves, ended] = await db.batch([
    db.select().from(jobMoves).where(inArray(jobMoves.jobId, ids)).orderBy(asc(jobMoves.number)),
    db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, ids), notInArray(jobs.status, ['queued', 'processing']))),
  ])
  const history = moves.map(({ jobId, number, status, createdAt }) => ({
    job_id: jobId,
    number,
    status,
    at: createdAt,
  }))
  return [history, ended] as const
}
