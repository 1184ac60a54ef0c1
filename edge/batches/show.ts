import { type AccountCaller, type Caller, maySee } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { type ListedJob, readBatchJobs, readShortJobs } from '../jobs/list-queries.ts'
import { withProgress } from '../jobs/progress/with-progress.ts'
import { isOver } from '../jobs/rules/states.ts'
import { type WaitedFor, type Waiting, waitForEnd } from '../jobs/wait.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Span } from '../platform/rules/paging.ts'
import type { BatchFilter } from './filter-queries.ts'
import { loadBatches } from './load.ts'
import { batchQuery, placeOf, readBatchSizes, type StoredBatch } from './queries.ts'
import { countListed } from './rules/states.ts'
import { viewBatch } from './view.ts'
import { hasBatchEnded } from './watch.ts'

/**
 * Returns a batch and its files. For an anonymous batch, knowing the id is enough. Administrators can see every
 * batch. Throws 404 for an unknown or cross-tenant id, and 401 if an anonymous caller requests an account's batch.
 */
export async function findBatch(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<{ batch: StoredBatch; jobs: ListedJob[] }> {
  for (const { batches, answer } of await loadBatches(deps, [id])) {
    const [batch] = batches
    if (batch === undefined || !maySee(caller, batch)) continue
    const jobs = inOrder(await withProgress(deps, await readBatchJobs(deps, answer)))
    const isWhole = answer.every(({ job }) => job !== null)
    // Reads the batch again: files loaded by later reads may have been canceled in the meantime.
    const [since = batch] = isWhole ? [] : await batchQuery(deps.db, id)
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

/**
 * Shows a batch when its last file ends, or after `wait` seconds. Throws like findBatch, and 401 once the credential
 * is revoked. Contract: Jobs, Wait for the end.
 */
export async function showBatchAtEnd(
  deps: Deps,
  caller: Caller,
  id: string,
  waiting: Waiting,
): Promise<WaitedFor<ReturnType<typeof viewBatch>>> {
  const { batch, jobs } = await findBatch(deps, caller, id)
  const awaited = { owned: batch, unknown: 'batch_not_found' } as const
  if (waiting.wait === 0 || jobs.every(({ status }) => isOver(status)))
    return { shown: viewBatch(deps, batch, jobs), outcome: 'ended' }
  const look = (pause_ms: number) => hasBatchEnded(deps, id, pause_ms)
  const outcome = await waitForEnd(deps, caller, awaited, waiting, look)
  const shown = outcome === 'crowded' ? viewBatch(deps, batch, jobs) : await showBatch(deps, caller, id)
  return { shown, outcome }
}

/**
 * Returns the record of a batch for a webhook; null if there is none. Files that fit into one database response have a
 * result body; the others have none.
 */
export async function loadEndedBatch(deps: Deps, id: string) {
  for (const { batches, answer } of await loadBatches(deps, [id])) {
    const [batch] = batches
    if (batch !== undefined) return viewBatch(deps, batch, inOrder(await readShortJobs(deps, answer)))
  }
  return null
}

/** Maximum number of batches in one list response. */
const LISTED_BATCHES_MAX = 1000

interface BatchesRequest extends Omit<Span, 'limit'>, BatchFilter {
  limit?: number | undefined
}

/**
 * Lists the caller's own batches that match a filter, newest first: up to `limit`, or as many as fit into one
 * response. Contract: Batches, Batch filters.
 */
export async function showBatches(
  deps: Deps,
  { account }: AccountCaller,
  { cursor, limit = LISTED_BATCHES_MAX, offset, ...filter }: BatchesRequest,
) {
  const found = await readBatchSizes(deps, account.id, filter, { cursor, limit, offset })
  const count = countListed(found.rows)
  const last = found.rows[count - 1]
  const isCut = last !== undefined && count < found.rows.length
  const rows = await viewBatches(
    deps,
    found.rows.slice(0, count).map(({ id }) => id),
  )
  return { rows, next: isCut ? { cursor: placeOf(last), offset: 0 } : found.next }
}

async function viewBatches(deps: Deps, ids: string[]) {
  if (ids.length === 0) return []
  const loaded = await loadBatches(deps, ids)
  const answer = loaded.flatMap(({ answer }) => answer)
  const files = inOrder(await withProgress(deps, await readBatchJobs(deps, answer)))
  const filesOf = Map.groupBy(files, ({ batchId }) => batchId)
  const batches = new Map(loaded.flatMap(({ batches }) => batches.map((batch) => [batch.id, batch])))
  return ids
    .flatMap((id) => batches.get(id) ?? [])
    .map((batch) => viewBatch(deps, batch, filesOf.get(batch.id) ?? []))
}
