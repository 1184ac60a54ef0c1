import { type AccountCaller, type Caller, maySee } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { batchJobsQuery, type ListedJob, readBatchJobs } from '../jobs/list-queries.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { batchQuery, listBatches, listBatchSizes, type StoredBatch } from './queries.ts'
import { countListed } from './rules/states.ts'
import { viewBatch } from './view.ts'

/**
 * Returns a batch and its files. For an anonymous batch, knowing the id is enough. Administrators can see every
 * batch. Throws 404 for an unknown or cross-tenant id, and 401 if an anonymous caller requests an account's batch.
 */
export async function findBatch(
  { db }: Deps,
  caller: Caller,
  id: string,
): Promise<{ batch: StoredBatch; jobs: ListedJob[] }> {
  const [batches, answer] = await db.batch([batchQuery(db, id), batchJobsQuery(db, [id])])
  const [batch] = batches
  if (batch !== undefined && maySee(caller, batch)) {
    const jobs = inOrder(await readBatchJobs(db, answer))
    const isWhole = answer.every(({ job }) => job !== null)
    // Reads the batch again: files loaded by later reads may have been canceled in the meantime.
    const [since = batch] = isWhole ? [] : await batchQuery(db, id)
    return { batch: since, jobs }
  }
  throw new ApiError(caller.kind === 'anonymous' ? 'missing_api_key' : 'batch_not_found')
}

function inOrder(files: ListedJob[]): ListedJob[] {
  return files.toSorted((one, other) => (one.batchPosition ?? 0) - (other.batchPosition ?? 0))
}

export async function showBatch(deps: Deps, caller: Caller, id: string) {
  const { batch, jobs } = await findBatch(deps, caller, id)
  return viewBatch(deps, batch, jobs)
}

/** Maximum number of batches in one list response. */
const LISTED_BATCHES_MAX = 1000

/**
 * Lists the caller's own batches, newest first: up to `limit`, or as many as fit into one response.
 * @returns the batches and the offset of the next page; the offset is null at the end of the list.
 */
export async function showBatches(
  deps: Deps,
  { account }: AccountCaller,
  { limit = LISTED_BATCHES_MAX, offset }: { limit?: number | undefined; offset: number },
) {
  const found = await listBatchSizes(deps.db, account.id, { limit: limit + 1, offset })
  const count = Math.min(limit, countListed(found))
  const next = found.length > count ? offset + count : null
  const ids = found.slice(0, count).map(({ id }) => id)
  return { batches: await viewBatches(deps, ids), next }
}

async function viewBatches(deps: Deps, ids: string[]) {
  if (ids.length === 0) return []
  const [batches, jobs] = await Promise.all([listBatches(deps.db, ids), batchJobsQuery(deps.db, ids)])
  const files = inOrder(await readBatchJobs(deps.db, jobs))
  const filesOf = Map.groupBy(files, ({ batchId }) => batchId)
  return batches.map((batch) => viewBatch(deps, batch, filesOf.get(batch.id) ?? []))
}
