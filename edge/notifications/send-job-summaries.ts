import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { jobErrorText } from '../jobs/rules/error-text.ts'
import { LostRace } from '../platform/database/commit.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { settleAll } from '../platform/settle-all.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { listDueSummaries, loadFinishedJobs, reportedStatements } from './queries.ts'

/** Maximum number of summaries per run; the next run continues with the rest. */
const SUMMARIES_MAX = 100
const LISTED_JOBS_MAX = 20
/** A job that ended this long ago has certainly been committed. */
const COMMITTED_AFTER_MS = 30_000

/** Queues each due summary of finished jobs once. The outbox sends it. */
export async function sendJobSummaries(deps: Deps): Promise<void> {
  const due = await listDueSummaries(deps.db, deps.clock.now(), SUMMARIES_MAX)
  await settleAll(due.map((row) => sendSummary(deps, row)))
}

async function sendSummary(
  deps: Deps,
  { preferences, account }: Awaited<ReturnType<typeof listDueSummaries>>[number],
): Promise<void> {
  const now = deps.clock.now()
  const until = now - COMMITTED_AFTER_MS
  const period = { since: preferences.notifiedAt, until }
  const { newest, done, failed } = await loadFinishedJobs(deps.db, account.id, period, LISTED_JOBS_MAX)
  const isWanted = account.emailVerifiedAt !== null && account.blockedAt === null && done + failed > 0
  const effect = mailEffect(`jobs:${account.id}:${preferences.dueAt}`, {
    to: account.email,
    locale: account.locale,
    content: {
      kind: 'jobs',
      unsubscribe_token: preferences.unsubscribeToken,
      done,
      failed,
      jobs: newest.map(({ status, filename, operation_key, ...stored }) => ({
        filename,
        operation_key,
        is_done: status === 'done',
        error: jobErrorText(stored, account.locale),
      })),
    },
    useful_until: now + DAY_MS,
  })
  const effects = isWanted && deps.mailer !== null ? [effect] : []
  const statements = reportedStatements(deps.db, preferences, until, now)
  try {
    await commitOnce(deps, { statements, effects, answer: null }, 'by outbox')
  } catch (error) {
    // Another run sent the summary, or the preferences changed.
    if (!(error instanceof LostRace)) throw error
  }
}
