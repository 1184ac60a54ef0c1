import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { insertDeliveryStatement } from './queries.ts'
import { retryUntil } from './rules/delivery.ts'

type FinalState = 'done' | 'failed' | 'canceled'

export interface Announcement {
  /** Commit these together with the end of the job. */
  statements: Statement[]
  /** Empty if the job has no webhook_url. */
  effects: Effect[]
}

/**
 * Creates the webhook sent when a job ends. Anonymous callers get no webhook, because they have no signing secret.
 */
export function announceEnd(
  { db }: Pick<Deps, 'db'>,
  job: StoredJob,
  status: FinalState,
  now: number,
): Announcement {
  if (job.webhookUrl === null || job.accountId === null) return { statements: [], effects: [] }
  const retry_until = retryUntil(now)
  const delivery = {
    // A job ends only once, so its id identifies the delivery.
    id: `msg_${job.id}`,
    accountId: job.accountId,
    jobId: job.id,
    type: `job.${status}` as const,
    url: job.webhookUrl,
    status: 'pending' as const,
    createdAt: now,
    retryUntil: retry_until,
    nextAttemptAt: now,
  }
  return {
    statements: [insertDeliveryStatement(db, delivery)],
    effects: [webhookEffect(delivery.id, retry_until)],
  }
}

/** Returns a separate effect for each series of attempts, so ending one series never ends the next. */
export function webhookEffect(delivery_id: string, retry_until: number): Effect {
  return {
    id: `webhook:${delivery_id}:${retry_until}`,
    kind: 'webhook',
    payload: { delivery_id, retry_until },
  }
}
