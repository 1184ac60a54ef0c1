import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { type Announcement, announce, jobEnd, type WebhookEvent } from '../webhooks/announce.ts'
import type { Subscriber } from '../webhooks/endpoint-queries.ts'
import { isSubscribed } from '../webhooks/rules/events.ts'
import { type BatchOfJob, hasOtherOpenFile } from './end-queries.ts'
import type { StoredBatch } from './queries.ts'
import { BATCH_ENDS, type BatchEnd, endOf } from './rules/states.ts'

/** Returns the event of a batch that ends. */
export function batchEnd(
  { id, accountId, webhookUrl }: Pick<StoredBatch, 'id' | 'accountId' | 'webhookUrl'>,
  status: BatchEnd,
): WebhookEvent {
  return { type: `batch.${status}`, subjectId: id, accountId, webhookUrl }
}

/**
 * Announces the end of a job, and the end of its batch if the job is the last file. If two files end concurrently, the
 * second commit loses the race and is retried, so exactly one of them is the last. Contract: Webhooks, Webhook event.
 * @param batch the batch of the job with the states of its other files; undefined without a batch.
 */
export function announceJobEnd(
  deps: Pick<Deps, 'db'>,
  job: StoredJob,
  status: BatchEnd,
  { subscribers, batch }: { subscribers: readonly Subscriber[]; batch: BatchOfJob | undefined },
  now: number,
): Announcement {
  const ends = [jobEnd(job, status)]
  if (batch === undefined || !hasReceiver(batch, subscribers)) return announce(deps, ends, subscribers, now)
  if (batch.open === 0)
    return announce(deps, [...ends, batchEnd(batch, endOf(batch, status))], subscribers, now)
  const { statements, effects } = announce(deps, ends, subscribers, now)
  const guard = guardStatement(deps.db, hasOtherOpenFile(deps.db, batch, job.id))
  return { statements: [guard, ...statements], effects }
}

function hasReceiver({ webhookUrl }: BatchOfJob, subscribers: readonly Subscriber[]): boolean {
  const isReceiver = ({ events }: Subscriber) =>
    BATCH_ENDS.some((status) => isSubscribed(events, `batch.${status}`))
  return webhookUrl !== null || subscribers.some(isReceiver)
}
