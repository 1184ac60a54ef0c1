import { and, asc, inArray, notInArray } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { jobMoves, jobs } from '../tables.ts'

/** Selects the few fields of many jobs that show whether anything changed. */
export function listProgress(db: Database, ids: string[]) {
  return db
    .select({ id: jobs.id, moves: jobs.moves, progress: jobs.progress })
    .from(jobs)
    .where(inArray(jobs.id, ids))
}

/**
 * Selects all transitions of jobs, oldest first, and the finished jobs themselves. Transitions are pruned
 * later; the end of a job is then known from the job.
 */
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
  const removed = ended.filter((job) => !moves.some((move) => isLast(move, job)))
  const ends = removed.map(({ id, moves: number, status, finishedAt, createdAt }) => ({
    job_id: id,
    number,
    status,
    at: finishedAt ?? createdAt,
  }))
  return [[...history, ...ends], ended] as const
}

function isLast(move: typeof jobMoves.$inferSelect, job: typeof jobs.$inferSelect): boolean {
  return move.jobId === job.id && move.number === job.moves
}
