import type { Effect } from '../platform/outbox/queries.ts'

/** The fleet is to stop working on a job. */
export function cancelEffect(job_id: string): Effect {
  return { id: `cancel:${job_id}`, kind: 'cancel', payload: { job_id } }
}
