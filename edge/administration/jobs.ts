import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { atNamedWork } from '../jobs/at-job.ts'
import { endJob, requireOpen } from '../jobs/end.ts'
import type { JobFilter } from '../jobs/filter-queries.ts'
import { placeOfJob, readJobsPage } from '../jobs/list-queries.ts'
import { withProgress } from '../jobs/progress/with-progress.ts'
import { findJob, showJob } from '../jobs/show.ts'
import { viewJob } from '../jobs/view.ts'
import { readEverywhere, readPageEverywhere } from '../platform/database/read-everywhere.ts'
import type { Span } from '../platform/rules/paging.ts'
import { requireAdministrator } from './audit.ts'
import { auditStatements } from './audit-queries.ts'
import { findEmails } from './queries.ts'

/** Lists jobs of one or all accounts that match a filter, newest first. Contract: Jobs, Filters. */
export async function listJobsOfAll(deps: Deps, { cursor, limit, offset, ...filter }: JobFilter & Span) {
  const span = { cursor, limit, offset }
  const read = (own: Deps, part: Span) => readJobsPage(own, filter, part)
  const { rows: listed, next } = await readPageEverywhere(deps, span, read, placeOfJob)
  const jobs = await withProgress(deps, listed)
  const owners = new Set(jobs.flatMap(({ accountId }) => accountId ?? []))
  const found = await readEverywhere(deps, (db) => findEmails(db, [...owners]))
  const emails = new Map(found.flatMap((own) => [...own]))
  const rows = jobs.map((job) => ({
    ...viewJob(deps, job),
    account_id: job.accountId,
    email: job.accountId === null ? null : (emails.get(job.accountId) ?? null),
  }))
  return { rows, next }
}

/** Cancels any job and refunds it in full. Throws 404, and 409 if the job has already ended. */
export async function cancelAnyJob(asked: Deps, caller: SessionCaller, id: string) {
  const deps = await atNamedWork(asked, caller, id)
  const after = { status: 'canceled' as const }
  const entry = { action: 'job.cancel', target: `job:${id}`, before: null, after }
  const job = await findJob(deps, caller, id)
  requireOpen(job)
  await endJob(deps, job, after, {
    recheck: () => requireAdministrator(deps, caller),
    statements: (now) => [...auditStatements(deps.db, null, entry, { caller, now })],
  })
  return showJob(deps, caller, id)
}
