import { and, eq, exists, isNull, notExists, sql } from 'drizzle-orm'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { jobs } from '../tables.ts'
import {
  deleteUploadStatements,
  forgetReaderStatements,
  type Upload,
  unchangedReadersQuery,
  uploadsQuery,
} from '../uploads/queries.ts'
import { uploadKeysOf } from '../uploads/rules/addresses.ts'
import { ERASED_CONTENT } from './erased-content.ts'
import { purgeEffect } from './purge-effect.ts'
import { jobQuery, type StoredJob } from './queries.ts'
import { openReaderQuery } from './reader-queries.ts'
import { isOver } from './rules/states.ts'
import { resultKeysOf } from './view.ts'

interface OwnJob {
  id: string
  accountId: number
}

/**
 * Deletes one of the caller's ended jobs: its result, its sources that no other job uses, and its content. The row stays
 * for accounting. Throws 404, and 409 while the job is open or while an open job reads its result. Contract: Jobs, Delete.
 */
export async function deleteJob(deps: Deps, { account }: AccountCaller, id: string): Promise<void> {
  const own = { id, accountId: account.id }
  const isDeleted = await unitOfWork(deps, {
    load: () => loadDeletion(deps.db, own),
    decide: (found, now) => {
      if (found === null) return { answer: false }
      const { job, sources, isRead } = found
      if (!isOver(job.status)) throw new ApiError('job_not_finished', { status: job.status })
      if (isRead) throw new ApiError('file_in_use')
      // A source that another job has read stays, so that that one can be repeated.
      const [unneeded, needed] = partition(sources)
      const files = [...resultKeysOf(job), ...unneeded]
      return {
        statements: [
          deletionGuard(deps.db, own, job, sources),
          eraseQuery(deps.db, own, now),
          ...deleteUploadStatements(deps.db, unneeded, now),
          ...forgetReaderStatements(deps.db, needed),
        ],
        effects: files.length === 0 ? [] : [purgeEffect(`job:${id}`, files)],
        answer: true,
      }
    },
    sending: 'before answer',
  })
  if (isDeleted) return
  const archived = deps.archive === null ? [] : await eraseQuery(deps.archive, own, deps.clock.now())
  if (archived.length === 0) throw new ApiError('job_not_found')
}

const isKept = ({ id, accountId }: OwnJob) =>
  and(eq(jobs.id, id), eq(jobs.accountId, accountId), isNull(jobs.deletedAt))

/** Erases a job. Its files, if any, are deleted separately. */
function eraseQuery(db: Database, own: OwnJob, now: number) {
  return db
    .update(jobs)
    .set({
      ...ERASED_CONTENT,
      purgedAt: sql`CASE WHEN ${jobs.result} IS NULL THEN ${jobs.purgedAt} ELSE ${now} END`,
      result: null,
      deletedAt: now,
    })
    .where(isKept(own))
    .returning({ id: jobs.id })
}

/** Loads a job that is not in the archive, with the uploads that it reads. Returns null for an unknown job. */
async function loadDeletion(db: Database, own: OwnJob) {
  const [job] = await jobQuery(db, own.id)
  if (job === undefined || job.accountId !== own.accountId || job.deletedAt !== null) return null
  const sources = await listOwnSources(db, own, job)
  const readers =
    job.resultId === null ? [] : await openReaderQuery(db, own.accountId, resultOf(job.resultId))
  return { job, sources, isRead: readers.length > 0 }
}

/** Returns the keys of the uploads that only one job has read, and those of the others. */
function partition(sources: readonly Upload[]): [string[], string[]] {
  const keysOf = (uploads: readonly Upload[]) => uploads.map(({ key }) => key)
  return [
    keysOf(sources.filter(({ readers }) => readers <= 1)),
    keysOf(sources.filter(({ readers }) => readers > 1)),
  ]
}

async function listOwnSources(db: Database, { accountId }: OwnJob, job: StoredJob): Promise<Upload[]> {
  const keys = uploadKeysOf(Dispatch.parse(job.dispatch))
  const found = keys.length === 0 ? [] : await uploadsQuery(db, keys)
  return found.filter((upload) => upload.accountId === accountId)
}

const resultOf = (resultId: string) => `results/${resultId}/`

/** Makes the commit fail as a lost race if the job was deleted or archived, or a job that reads its files was submitted. */
function deletionGuard(db: Database, own: OwnJob, { resultId }: StoredJob, sources: readonly Upload[]) {
  const job = db.select({ id: jobs.id }).from(jobs).where(isKept(own))
  const isAllowed = and(
    exists(job),
    resultId === null ? undefined : notExists(openReaderQuery(db, own.accountId, resultOf(resultId))),
    ...sources.map((upload) => exists(unchangedReadersQuery(db, upload))),
  )
  return guardStatement(db, sql`${isAllowed}`)
}
