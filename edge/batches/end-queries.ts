import { and, eq, exists, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { batches, jobs } from '../tables.ts'

/** Selects the batch of a job and the states of its other files; no row if the job is not in a batch. */
export function batchOfJobQuery(db: Database, jobId: string) {
  const batchId = db.select({ id: jobs.batchId }).from(jobs).where(eq(jobs.id, jobId))
  const others = (states: SQL) =>
    sql<number>`sum(${jobs.id} <> ${jobId} AND ${jobs.status} IN ${states})`.mapWith(Number)
  return db
    .select({
      id: batches.id,
      accountId: batches.accountId,
      webhookUrl: batches.webhookUrl,
      stopped: batches.stopped,
      open: others(sql`('queued', 'processing')`),
      done: others(sql`('done')`),
      failed: others(sql`('failed')`),
      canceled: others(sql`('canceled')`),
    })
    .from(batches)
    .innerJoin(jobs, eq(jobs.batchId, batches.id))
    .where(eq(batches.id, batchId))
    .groupBy(batches.id)
}

export type BatchOfJob = Awaited<ReturnType<typeof batchOfJobQuery>>[number]

/** Matches while a batch has open files besides the given job. */
export function hasOtherOpenFile(db: Database, { id }: Pick<BatchOfJob, 'id'>, jobId: string): SQL {
  const isOpen = inArray(jobs.status, ['queued', 'processing'])
  return exists(
    db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.batchId, id), ne(jobs.id, jobId), isOpen)),
  )
}
