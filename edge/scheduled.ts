import { forgetCallbacks } from './db/callbacks.ts'
import { forgetRequests } from './db/idempotency.ts'
import type { Deps } from './deps.ts'
import { reportUnforeseen } from './log.ts'
import { addUpWebEvents } from './services/analytics/add-up.ts'
import { giveUpOldJobs } from './services/jobs/give-up.ts'
import { purgeExpired } from './services/jobs/purge.ts'
import { redispatchSilentJobs } from './services/jobs/redispatch.ts'
import { sendJobSummaries } from './services/notifications/job-summaries.ts'
import { sendNewsEmails } from './services/notifications/product-news.ts'
import { pollOrders } from './services/orders/poll.ts'
import { resendEffects } from './services/outbox/resend.ts'
import { pollRefunds } from './services/refunds/pay.ts'
import { addUpUsage, removeOldRows } from './services/statistics/keep.ts'
import { deliverDueMonths } from './services/subscriptions/deliver-months.ts'
import { endUnwantedMandates } from './services/subscriptions/end-mandates.ts'
import { noticeRenewals } from './services/subscriptions/notices.ts'
import { moveTermsOn } from './services/subscriptions/pass-time.ts'
import { applyMatchedEvents } from './services/subscriptions/unmatched-events.ts'
import { abortUnusedUploads } from './services/uploads/abort-unused.ts'
import { retryWebhooks } from './services/webhooks/retry.ts'

const CALLBACK_MEMORY_MS = 24 * 60 * 60 * 1000

/** What runs every minute. Each task stands alone: one that fails is told to the log and runs again. */
export const TASKS: Record<string, (deps: Deps) => Promise<void>> = {
  'send effects again': resendEffects,
  'try webhooks again': retryWebhooks,
  'hand silent jobs over': redispatchSilentJobs,
  'give up old jobs': giveUpOldJobs,
  'remove expired files': purgeExpired,
  'abort unused uploads': abortUnusedUploads,
  'add usage up': addUpUsage,
  'add web events up': addUpWebEvents,
  'remove old rows': removeOldRows,
  'ask about orders': pollOrders,
  'ask about refunds': pollRefunds,
  'deliver months': deliverDueMonths,
  'move terms on': moveTermsOn,
  'apply kept events': applyMatchedEvents,
  'end unwanted mandates': endUnwantedMandates,
  'tell of renewals': noticeRenewals,
  'send job summaries': sendJobSummaries,
  'send product news': sendNewsEmails,
  'forget old answers': (deps) => forgetRequests(deps.db, deps.clock.now()),
  'forget old callbacks': (deps) => forgetCallbacks(deps.db, deps.clock.now() - CALLBACK_MEMORY_MS),
}

export async function runScheduled(deps: Deps): Promise<void> {
  await Promise.all(
    Object.entries(TASKS).map(([name, task]) =>
      task(deps).catch((error) => reportUnforeseen(error, { task: name })),
    ),
  )
}
