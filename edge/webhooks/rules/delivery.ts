import type { EventType } from './events.ts'

/** Decides when webhooks are retried. Contract: Webhooks, Webhook delivery. */
const RETRY_MS = 24 * 60 * 60 * 1000
const FIRST_PAUSE_MS = 30_000
/** Limits the exponent. A longer pause would end after the retry period anyway. */
const DOUBLINGS_MAX = 12

/** The status with which a receiver reports that it is permanently gone. */
export const GONE = 410

/** Returns the time at which the retries of a new or replayed webhook end. Tests have one attempt. */
export function retryUntil(now: number, type: EventType): number {
  return type === 'test' ? now : now + RETRY_MS
}

/** Outcome of an attempt: the response, or the reason there was none. */
export interface Attempt {
  response_status: number | null
  error: string | null
  /** The beginning of the response. */
  response_body: string | null
  duration_ms: number
}

export type DeliveryVerdict =
  | { status: 'delivered' | 'failed'; next_attempt_at: null }
  | { status: 'pending'; next_attempt_at: number }

/**
 * Decides what follows an attempt. Pauses double with each attempt and are multiplied by a random factor of 0.5 to
 * 1.5, so receivers that failed together are not all retried at once. The last attempt is at `retry_until`.
 * @param delivery `attempts` includes this attempt.
 * @param chance a random number from 0 to 1.
 */
export function judgeAttempt(
  delivery: { attempts: number; retry_until: number },
  { response_status }: Pick<Attempt, 'response_status'>,
  now: number,
  chance: number,
): DeliveryVerdict {
  if (isAccepted(response_status)) return { status: 'delivered', next_attempt_at: null }
  if (response_status === GONE || now >= delivery.retry_until) {
    return { status: 'failed', next_attempt_at: null }
  }
  const pause_ms = FIRST_PAUSE_MS * 2 ** Math.min(delivery.attempts - 1, DOUBLINGS_MAX)
  const next = now + Math.round(pause_ms * (0.5 + chance))
  return { status: 'pending', next_attempt_at: Math.min(next, delivery.retry_until) }
}

export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** How long the previous secret is still used after a rotation, to give receivers time to switch. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

/** Returns the active secrets, newest first. */
export function signingSecrets(
  stored: { secret: string; previous_secret: string | null; created_at: number },
  now: number,
): string[] {
  const overlaps = stored.previous_secret !== null && now < stored.created_at + OVERLAP_MS
  return overlaps && stored.previous_secret !== null
    ? [stored.secret, stored.previous_secret]
    : [stored.secret]
}
