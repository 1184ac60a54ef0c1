import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { insertDeliveryStatement } from './queries.ts'
import { retryUntil } from './rules/delivery.ts'

type FinalState = 'done' | 'failed' | 'canceled'

export interface Announcement {
  /** Commit these with the end of the job. */
  statements: Statement[]
  /** Empty without a webhook_url. */
  effects: Effect[]
}

/** Creates the webhook for the end of a job. Anonymous callers have no signing secret and get none. */
export function announceEnd(
  { db }: Pick<Deps, 'db'>,
  job: StoredJob,
  status: FinalState,
  now: number,
): Announcement {
  if (job.webhookUrl === null || job.accountId === null) return { statements: [], effects: [] }
  const retry_until = retryUntil(now)
  const delivery = {
    // A job ends once, so its id identifies the delivery.
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

/** Returns one effect per series of attempts, so that ending one series never ends the next. */
export function webhookEffect(delivery_id: string, retry_until: number): Effect {
  return {
    id: `webhook:${delivery_id}:${retry_until}`,
    kind: 'webhook',
    payload: { delivery_id, retry_until },
  }
}
