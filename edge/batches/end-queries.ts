import { and, eq, exists, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { batches, jobs } from '../tables.ts'
import type { StoredBatch } from './queries.ts'

/** The batch of a job, and how many of its other files are in each state. */
export interface BatchOfJob {
  id: string
  accountId: number | null
  webhookUrl: string | null
  stopped: StoredBatch['stopped']
  open: number
  done: number
  failed: number
  canceled: number
}

/** Selects the batch of a job and the states of its other files as one value; null if the job is not in a batch. */
export function batchOfJobField(jobId: string) {
  const others = (states: SQL) => sql`sum(file.id <> ${jobId} AND file.status IN ${states})`
  return sql`(
    SELECT json_object('id', batch.id, 'accountId', batch.account_id, 'webhookUrl', batch.webhook_url,
      'stopped', batch.stopped, 'open', ${others(sql`('queued', 'processing')`)}, 'done', ${others(sql`('done')`)},
      'failed', ${others(sql`('failed')`)}, 'canceled', ${others(sql`('canceled')`)})
    FROM ${batches} AS batch JOIN ${jobs} AS file ON file.batch_id = batch.id
    WHERE batch.id = "jobs"."batch_id" GROUP BY batch.id)`.mapWith((text): BatchOfJob | null =>
    text === null ? null : JSON.parse(text),
  )
}

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
