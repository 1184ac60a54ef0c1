import { forgetMailboxes } from './accounts/mailbox-queries.ts'
import { forgetExpiredSessions } from './accounts/session-queries.ts'
import { addUpWebEvents } from './analytics/aggregate.ts'
import { moveOldJobs } from './archive/move-jobs.ts'
import { copyFromHome } from './databases/copy-global-tables.ts'
import { reportFrozenAccounts } from './databases/report-frozen.ts'
import type { Deps } from './deps.ts'
import { giveUpOldJobs } from './jobs/expire-old-jobs.ts'
import { purgeExpired } from './jobs/purge.ts'
import { redispatchStaleJobs } from './jobs/redispatch.ts'
import { pruneReports } from './jobs/report-queries.ts'
import { reportUnforeseen } from './log.ts'
import { sendJobSummaries } from './notifications/send-job-summaries.ts'
import { sendNewsEmails } from './notifications/send-product-news.ts'
import { closeWaitingCheckouts } from './orders/close-checkout.ts'
import { pollOrders } from './orders/poll.ts'
import { forgetExpiredResets } from './password-resets/queries.ts'
import { pollPaybacks } from './payments/pay-back.ts'
import { isAccountMoving } from './platform/database/account-moving.ts'
import { forgetRequests } from './platform/idempotency/queries.ts'
import { resendEffects } from './platform/outbox/send.ts'
import { pollRefunds } from './refunds/pay-out.ts'
import { addUpUsage, removeOldRows } from './statistics/aggregate.ts'
import { resealConnections } from './storage-connections/reseal.ts'
import { advanceTerms } from './subscriptions/advance.ts'
import { applyMatchedEvents } from './subscriptions/apply-matched-events.ts'
import { deliverDueMonths } from './subscriptions/deliver-months.ts'
import { endObsoleteMandates } from './subscriptions/end-mandates.ts'
import { noticeRenewals } from './subscriptions/send-notices.ts'
import { abortUnusedUploads } from './uploads/abort-unused.ts'
import { retryWebhooks } from './webhooks/retry.ts'

const CALLBACK_MEMORY_MS = 24 * 60 * 60 * 1000

/** Tasks of the cron trigger. They are independent: if one fails, it is logged and runs again a minute later. */
export const TASKS: Record<string, (deps: Deps) => Promise<void>> = {
  'resend effects': resendEffects,
  'retry webhooks': retryWebhooks,
  'redispatch stale jobs': redispatchStaleJobs,
  'expire old jobs': giveUpOldJobs,
  'delete expired files': purgeExpired,
  'abort unused uploads': abortUnusedUploads,
  'encrypt secrets again': resealConnections,
  'aggregate usage': addUpUsage,
  'aggregate web events': addUpWebEvents,
  'prune old rows': removeOldRows,
  'archive old jobs': moveOldJobs,
  'poll orders': pollOrders,
  'poll refunds': pollRefunds,
  'poll paybacks': pollPaybacks,
  'close checkouts': closeWaitingCheckouts,
  'deliver months': deliverDueMonths,
  'advance terms': advanceTerms,
  'apply matched events': applyMatchedEvents,
  'end unwanted mandates': endObsoleteMandates,
  'send renewal notices': noticeRenewals,
  'send job summaries': sendJobSummaries,
  'send product news': sendNewsEmails,
  'forget idempotency keys': (deps) => forgetRequests(deps.db, deps.clock.now()),
  'forget sessions and links': async ({ db, clock }) => {
    const now = clock.now()
    await Promise.all([
      forgetExpiredSessions(db, now),
      forgetExpiredResets(db, now),
      forgetMailboxes(db, now),
    ])
  },
  'forget reports': (deps) => pruneReports(deps.db, deps.clock.now() - CALLBACK_MEMORY_MS),
  // A change of an administrator is copied at once; this completes a copy that failed.
  'copy global tables': copyFromHome,
  'report frozen accounts': reportFrozenAccounts,
}

/** Runs the tasks of the home, and has those of each other database run in an invocation of their own. */
export async function runScheduled(deps: Deps): Promise<void> {
  const { DATABASE_TASKS } = deps.env
  await Promise.all([
    runTasks(deps),
    ...deps.databases.slice(1).map(async ({ $number }) => {
      const tasks = DATABASE_TASKS.get(DATABASE_TASKS.idFromName(String($number)))
      await tasks.run($number).catch((error) => report(error, `tasks of database ${$number}`))
    }),
  ])
}

/** Runs the tasks of the database of `deps`. */
export async function runTasks(deps: Deps): Promise<void> {
  await Promise.all(
    Object.entries(TASKS).map(([name, task]) =>
      task(deps).catch((error) => report(error, deps.db.$number === 0 ? name : `${name} ${deps.db.$number}`)),
    ),
  )
}

/** The tasks of an account that moves run again, in its new database. */
function report(error: unknown, task: string): void {
  if (!isAccountMoving(error)) reportUnforeseen(error, { task })
}
