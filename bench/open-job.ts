import { insertJobsStatements, newJob } from '../edge/jobs/queries.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { commit } from '../edge/platform/database/commit.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'

/**
 * Inserts a job that is never dispatched; the benchmark itself sends the reports.
 * @returns the job ID, and `close`, which cancels the job.
 */
export async function openJob(
  db: Database,
  account_id: number,
): Promise<{ id: string; close(): Promise<void> }> {
  const id = `bench-${crypto.randomUUID()}`
  const params = { file_url: `bench/${account_id}`, width: 16 }
  const job = newJob({
    id,
    accountId: account_id,
    repeatOf: null,
    serviceSlug: 'image',
    operationKey: 'resize',
    params,
    dispatch: {
      job_id: id,
      dispatch: 1,
      service_slug: 'image',
      operation_key: 'resize',
      params,
    } as Partial<Dispatch> as Dispatch,
    source: 'api',
    estimatedCost: 0,
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
    createdAt: Date.now(),
  })
  await commit(db, insertJobsStatements(db, [job]))
  return {
    id,
    close: async () => {
      await db.$client.execute({ sql: "UPDATE jobs SET status = 'canceled' WHERE id = ?", args: [id] })
    },
  }
}
