import { addUpWebEvents } from './analytics/aggregate.ts'
import type { Deps } from './deps.ts'
import { giveUpOldJobs } from './jobs/expire-old-jobs.ts'
import { purgeExpired } from './jobs/purge.ts'
import { redispatchSilentJobs } from './jobs/redispatch.ts'
import { reportUnforeseen } from './log.ts'
import { sendJobSummaries } from './notifications/send-job-summaries.ts'
import { sendNewsEmails } from './notifications/send-product-news.ts'
import { pollOrders } from './orders/poll.ts'
import { resendEffects } from './outbox/resend.ts'
import { forgetCallbacks } from './payments/queries.ts'
import { forgetRequests } from './platform/idempotency/queries.ts'
import { pollRefunds } from './refunds/pay-out.ts'
import { addUpUsage, removeOldRows } from './statistics/aggregate.ts'
import { moveTermsOn } from './subscriptions/advance.ts'
import { applyMatchedEvents } from './subscriptions/apply-matched-events.ts'
import { deliverDueMonths } from './subscriptions/deliver-months.ts'
import { endUnwantedMandates } from './subscriptions/end-mandates.ts'
import { noticeRenewals } from './subscriptions/send-notices.ts'
import { abortUnusedUploads } from './uploads/abort-unused.ts'
import { retryWebhooks } from './webhooks/retry.ts'

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
