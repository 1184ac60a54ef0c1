import { insertJobsStatements, newJob } from '../../../edge/jobs/queries.ts'
import { commit } from '../../../edge/platform/database/commit.ts'
import type { Dispatch } from '../../../shared/protocol/dispatch.ts'
import type { TestContext } from './context.ts'

/**
 * Inserts a job without an account, like a job submitted in the public studio.
 * @returns its id
 */
export async function submitAnonymously(
  { deps }: TestContext,
  { url, key }: { url: string; key: string },
): Promise<string> {
  const id = crypto.randomUUID()
  const dispatch: Dispatch = {
    job_id: id,
    dispatch: 1,
    service_slug: 'video',
    operation_key: 'compress',
    params: {},
    pipeline: [],
    assets: {},
    source: { kind: 'object', key },
    filename: 'clip.mp4',
    max_input_seconds: 600,
    tier: 'anonymous',
    priority: 200,
    hold_ms: 0,
  }
  const job = newJob({
    id,
    repeatOf: null,
    accountId: null,
    serviceSlug: dispatch.service_slug,
    operationKey: dispatch.operation_key,
    params: { file_url: url },
    dispatch,
    source: 'web',
    estimatedCost: 0,
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
    createdAt: Date.now(),
  })
  await commit(deps.db, insertJobsStatements(deps.db, [job]))
  return id
}
