import { commit, untilCommitted } from '../../db/commit.ts'
import { listExpiredResults, removeResultStatement, type StoredJob } from '../../db/jobs.ts'
import { type Effect, effectStatement } from '../../db/outbox.ts'
import { deleteUploadStatements, listExpiredUploads } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../rules/caller.ts'
import { keyOf } from '../../rules/files.ts'
import { isOver } from '../../rules/jobs.ts'
import { ApiError } from '../api-error.ts'
import { carryOut } from '../outbox/resend.ts'
import { findJob } from './show.ts'
import type { StoredResult } from './view.ts'

const ROWS_MAX = 200

/** Removes the files of results and uploads whose time is over; the job then shows no result. */
export async function purgeExpired(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const [jobs, uploads] = await Promise.all([
    listExpiredResults(deps.db, now, ROWS_MAX),
    listExpiredUploads(deps.db, now, ROWS_MAX),
  ])
  const keys = [...jobs.flatMap(resultKeys), ...uploads.map(({ key }) => key)]
  if (keys.length === 0) return
  const effect = purgeEffect(crypto.randomUUID(), keys)
  await commit(deps.db, [
    ...jobs.map((job) => removeResultStatement(deps.db, job.id, now)),
    ...deleteUploadStatements(
      deps.db,
      uploads.map(({ key }) => key),
    ),
    effectStatement(deps.db, effect, now),
  ])
  await carryOut(deps, effect)
}

/**
 * An anonymous caller has its file: source and result go at once. A job of an account is left alone.
 * Throws 404, and 409 for a job that still runs. Specification: Jobs, delivered.
 */
export async function purgeDelivered(deps: Deps, caller: Caller, id: string): Promise<{ purged: boolean }> {
  const effect = await untilCommitted(async () => {
    const job = await findJob(deps, caller, id)
    if (job.accountId !== null) return null
    if (!isOver(job.status)) throw new ApiError(409, 'the job is not finished yet')
    const source = keyOf(deps.env.PUBLIC_URL, String((job.params as { file_url?: unknown }).file_url))
    const uploads = source === null ? [] : [source]
    const purge = purgeEffect(id, [...resultKeys(job), ...uploads])
    const now = deps.clock.now()
    await commit(deps.db, [
      removeResultStatement(deps.db, id, now),
      ...deleteUploadStatements(deps.db, uploads),
      effectStatement(deps.db, purge, now),
    ])
    return purge
  })
  if (effect !== null) deps.defer(carryOut(deps, effect))
  return { purged: effect !== null }
}

function resultKeys({ result }: Pick<StoredJob, 'result'>): string[] {
  return ((result as StoredResult | null)?.files ?? []).map(({ key }) => key)
}

function purgeEffect(id: string, keys: string[]): Effect {
  return { id: `purge:${id}`, kind: 'purge', payload: { keys } }
}
