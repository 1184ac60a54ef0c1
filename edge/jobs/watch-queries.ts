import { and, asc, inArray, notInArray } from 'drizzle-orm'
import type { Archived } from '../platform/database/archive.ts'
import type { Database } from '../platform/database/client.ts'
import { jobs, jobTransitions } from '../tables.ts'
import { listJobs, type StoredJob } from './queries.ts'
import { isOver } from './rules/states.ts'

/** Selects the few fields that show whether jobs have changed. */
export function listProgress(db: Database, ids: string[]) {
  const { id, status, transitions, progress, fence, heardAt } = jobs
  return db
    .select({ id, status, transitions, progress, fence, heardAt })
    .from(jobs)
    .where(inArray(jobs.id, ids))
}

/**
 * Selects all transitions of the given jobs, oldest first, and the rows of those that are finished. Transitions are
 * pruned later; the end of a job is then taken from its row.
 */
export async function listTransitionsAndEnded(
  { db, archive }: Archived,
  rows: readonly Pick<StoredJob, 'id' | 'status'>[],
) {
  const ids = rows.map(({ id }) => id)
  const [transitions, stored] = await db.batch([
    db
      .select()
      .from(jobTransitions)
      .where(inArray(jobTransitions.jobId, ids))
      .orderBy(asc(jobTransitions.number)),
    db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, ids), notInArray(jobs.status, ['queued', 'processing']))),
  ])
  const archived = rows.filter(({ id, status }) => isOver(status) && !stored.some((job) => job.id === id))
  const ended =
    archive === null || archived.length === 0
      ? stored
      : [
          ...stored,
          ...(await listJobs(
            archive,
            archived.map(({ id }) => id),
          )),
        ]
  const history = transitions.map(({ jobId, number, status, createdAt }) => ({
    job_id: jobId,
    number,
    status,
    at: createdAt,
  }))
  const removed = ended.filter((job) => !transitions.some((transition) => isLast(transition, job)))
  const ends = removed.map(({ id, transitions: number, status, finishedAt, createdAt }) => ({
    job_id: id,
    number,
    status,
    at: finishedAt ?? createdAt,
  }))
  return [[...history, ...ends], ended] as const
}

function isLast(transition: typeof jobTransitions.$inferSelect, job: typeof jobs.$inferSelect): boolean {
  return transition.jobId === job.id && transition.number === job.transitions
}
