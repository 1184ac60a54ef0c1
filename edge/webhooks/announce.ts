import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { insertDeliveryStatement } from './queries.ts'
import { retryUntil } from './rules/delivery.ts'

type FinalState = 'done' | 'failed' | 'canceled'

export interface Announcement {
  /** Written in the commit that ends the job. */
  statements: Statement[]
  /** None where nobody asked to be told. */
  effects: Effect[]
}

/** A webhook for the end of a job. Anonymous callers have no secret to sign with, and get none. */
export function announceEnd(
  { db }: Pick<Deps, 'db'>,
  job: StoredJob,
  status: FinalState,
  now: number,
): Announcement {
  if (job.webhookUrl === null || job.accountId === null) return { statements: [], effects: [] }
  const retry_until = retryUntil(now)
  const delivery = {
    // A job ends once, so that its id makes the delivery's.
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

/** Each series of attempts has an effect of its own: the end of one never ends the next. */
export function webhookEffect(delivery_id: string, retry_until: number): Effect {
  return {
    id: `webhook:${delivery_id}:${retry_until}`,
    kind: 'webhook',
    payload: { delivery_id, retry_until },
  }
}
