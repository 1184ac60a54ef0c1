import { and, eq, exists, isNull, not, or, type SQL } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import type { JobState } from '../jobs/rules/states.ts'
import { type batches, jobs } from '../tables.ts'
import type { BatchState } from './rules/states.ts'

type Row = Pick<typeof batches, 'id' | 'stopped'>

/**
 * Matches batches in a state, which is derived from their files as in batchStateOf. An index of the files by state
 * answers each question about a batch with one search, however many files it has.
 */
export function isInState(batch: Row, state: BatchState): SQL | undefined {
  const has = (status: JobState) =>
    exists(
      new QueryBuilder()
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(eq(jobs.batchId, batch.id), eq(jobs.status, status))),
    )
  const hasAny = (...states: JobState[]) => or(...states.map(has))
  const isOver = not(hasAny('queued', 'processing') as SQL)
  const isStopped = (as: 'canceled' | 'failed') => eq(batch.stopped, as)
  const isWhole = isNull(batch.stopped)
  switch (state) {
    case 'queued':
      return and(has('queued'), not(hasAny('processing', 'done', 'failed', 'canceled') as SQL))
    case 'processing':
      return or(has('processing'), and(has('queued'), hasAny('done', 'failed', 'canceled')))
    case 'done':
      return and(isWhole, has('done'), isOver)
    case 'failed':
      return and(or(isStopped('failed'), and(isWhole, has('failed'), not(has('done')))), isOver)
    case 'canceled':
      return and(or(isStopped('canceled'), and(isWhole, not(hasAny('done', 'failed') as SQL))), isOver)
  }
}
