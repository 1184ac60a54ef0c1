import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { settleAll } from '../platform/settle-all.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { deleteUploadStatements, listExpiredUploads } from '../uploads/queries.ts'
import { resultIdsOf, uploadKeysOf } from '../uploads/rules/addresses.ts'
import { findStoredJob } from './find-stored-job.ts'
import { purgeEffect } from './purge-effect.ts'
import {
  listExpiredResults,
  openAnonymousJobsQuery,
  removeResultStatement,
  type StoredJob,
} from './queries.ts'
import { isOver } from './rules/states.ts'
import { resultKeysOf } from './view.ts'

const ROWS_MAX = 200

/** Grace period: a concurrent submit may still extend the retention of a file. */
const GRACE_MS = 60_000

/**
 * Deletes expired results and uploads, independently of each other. The job remains without its result, and
 * result_purged_at records the time of deletion.
 */
export async function purgeExpired(deps: Deps): Promise<void> {
  await settleAll([
    untilNothingDue(async () => (await purgeSomeResults(deps)) === ROWS_MAX),
    untilNothingDue(async () => (await purgeSomeUploads(deps)) === ROWS_MAX),
  ])
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
  const now = deps.clock.now()
  const uploads = await listExpiredUploads(deps.db, now - GRACE_MS, ROWS_MAX)
  const keys = uploads.map(({ key }) => key)
  if (keys.length > 0) await purgeFiles(deps, keys, deleteUploadStatements(deps.db, keys, now))
  return keys.length
}

/**
 * Deletes the source and result of an anonymous job after delivery. Does not delete account files, or a result that
 * another open job of the caller reads. Throws 404 for an unknown or cross-tenant job, and 409 for an open one.
 * Contract: Jobs, Delivered.
 */
export async function purgeDelivered(deps: Deps, caller: Caller, id: string): Promise<{ purged: boolean }> {
  const known = await findStoredJob(deps, id)
  if (known === undefined) throw new ApiError('job_not_found')
  const { accountId } = known
  if (accountId !== null) {
    // Does not reveal that another account's job exists.
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
  // When a request is repeated, the first effect is either still in the outbox or already done.
  if (known.purgedAt === null) {
    const statements = [
      removeResultStatement(deps.db, id, now),
      ...deleteUploadStatements(deps.db, uploads, now),
    ]
    // Sends the effect before the response, so the files are deleted by then.
    await commitOnce(deps, { statements, effects: [effect], answer: null }, 'before answer')
  }
  return { purged: true }
}

/** Lists the dispatches of all open jobs that belong to the same anonymous caller as the given job. */
async function listOpenDispatches({ db }: Deps, { anonymousKey }: StoredJob): Promise<Dispatch[]> {
  const open = anonymousKey === null ? [] : await openAnonymousJobsQuery(db, anonymousKey)
  return open.map(({ dispatch }) => Dispatch.parse(dispatch))
}

/** Deletes an unused upload: one whose only job was refused, or one that does not match its declaration. */
export async function purgeUpload(deps: Deps, key: string, statements: Statement[] = []): Promise<void> {
  const deleting = deleteUploadStatements(deps.db, [key], deps.clock.now())
  await purgeFiles(deps, [key], [...deleting, ...statements])
}

/**
 * Deletes files.
 * @param statements statements that mark the files as deleted; they are committed first.
 */
async function purgeFiles(deps: Deps, keys: string[], statements: Statement[]): Promise<void> {
  const effects = [purgeEffect(crypto.randomUUID(), keys)]
  await commitOnce(deps, { statements, effects, answer: null }, 'in task')
}
