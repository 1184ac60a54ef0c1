import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { settleAll } from '../platform/settle-all.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { deleteUploadStatements, listExpiredUploads } from '../uploads/queries.ts'
import { resultIdsOf, uploadKeysOf } from '../uploads/rules/addresses.ts'
import { purgeEffect } from './purge-effect.ts'
import {
  jobQuery,
  listExpiredResults,
  openAnonymousJobsQuery,
  removeResultStatement,
  type StoredJob,
} from './queries.ts'
import { isOver } from './rules/states.ts'
import { resultKeysOf } from './view.ts'

const ROWS_MAX = 200
/** A run ends before the next begins; what is left over is the next one's. */
const ROUNDS_MAX = 10

/** A submit that still found a file good keeps it a moment later; so the purge comes later still. */
const GRACE_MS = 60_000

/**
 * Removes the files of results and of uploads whose time is over, neither held up by the other. The job
 * stays, without its result: it says in result_purged_at when that went.
 */
export async function purgeExpired(deps: Deps): Promise<void> {
  await settleAll([purgeAll(deps, purgeSomeResults), purgeAll(deps, purgeSomeUploads)])
}

/** @param purgeSome tells how many rows it was done with; all the rows there were, if less than the most. */
async function purgeAll(deps: Deps, purgeSome: (deps: Deps) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if ((await purgeSome(deps)) < ROWS_MAX) return
  }
}

async function purgeSomeResults(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const jobs = await listExpiredResults(deps.db, now - GRACE_MS, ROWS_MAX)
  const statements = jobs.map(({ id }) => removeResultStatement(deps.db, id, now))
  const keys = jobs.flatMap((job) => job.keys)
  if (jobs.length > 0) await purgeFiles(deps, keys, statements)
  return jobs.length
}

async function purgeSomeUploads(deps: Deps): Promise<number> {
  const uploads = await listExpiredUploads(deps.db, deps.clock.now() - GRACE_MS, ROWS_MAX)
  const keys = uploads.map(({ key }) => key)
  if (keys.length > 0) await purgeFiles(deps, keys, deleteUploadStatements(deps.db, keys))
  return keys.length
}

/**
 * An anonymous caller has its file: source and result go at once. A job of an account is left alone, and so is one
 * whose result another open job of the caller reads.
 * Throws 404, and 409 for a job that still runs. Contract: Jobs, Delivered.
 */
export async function purgeDelivered(deps: Deps, caller: Caller, id: string): Promise<{ purged: boolean }> {
  const [known] = await jobQuery(deps.db, id)
  if (known === undefined) throw new ApiError('job_not_found')
  const { accountId } = known
  if (accountId !== null) {
    // What is there is nobody else's business.
    if (caller.account?.id !== accountId) throw new ApiError('job_not_found')
    return { purged: false }
  }
  if (!isOver(known.status)) throw new ApiError('job_not_finished', { status: known.status })
  const open = await listOpenDispatches(deps, known)
  if (known.resultId !== null && open.flatMap(resultIdsOf).includes(known.resultId)) return { purged: false }
  const needed = new Set(open.flatMap(uploadKeysOf))
  const uploads = uploadKeysOf(Dispatch.parse(known.dispatch)).filter((key) => !needed.has(key))
  const effect = purgeEffect(id, [...resultKeysOf(known), ...uploads])
  const now = deps.clock.now()
  // Asked again, it finds the first effect in the outbox, or all of its work done.
  if (known.purgedAt === null) {
    const statements = [removeResultStatement(deps.db, id, now), ...deleteUploadStatements(deps.db, uploads)]
    // Before the answer, so that the files are gone by then.
    await commitOnce(deps, { statements, effects: [effect], answer: null }, 'before answer')
  }
  return { purged: true }
}

/** The dispatches of the open jobs of a job's anonymous caller. */
async function listOpenDispatches({ db }: Deps, { anonymousKey }: StoredJob): Promise<Dispatch[]> {
  const open = anonymousKey === null ? [] : await openAnonymousJobsQuery(db, anonymousKey)
  return open.map(({ dispatch }) => Dispatch.parse(dispatch))
}

/** An upload that came to nothing: its refused job was its only use, or it is not what was announced. */
export async function purgeUpload(deps: Deps, key: string, beside: Statement[] = []): Promise<void> {
  await purgeFiles(deps, [key], [...deleteUploadStatements(deps.db, [key]), ...beside])
}

/** @param statements say of the files that they are gone; committed before they are. */
async function purgeFiles(deps: Deps, keys: string[], statements: Statement[]): Promise<void> {
  const effects = [purgeEffect(crypto.randomUUID(), keys)]
  await commitOnce(deps, { statements, effects, answer: null }, 'in task')
}
