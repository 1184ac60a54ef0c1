/** When webhooks are tried again. Contract: Webhooks, Webhook delivery. */
const RETRY_MS = 24 * 60 * 60 * 1000
const FIRST_PAUSE_MS = 30_000
/** The pause after the first failure is the first one, and each doubles; the last would end after a day anyway. */
const DOUBLINGS_MAX = 12

/** The receiver said that it is gone for good. */
const GONE = 410

/** How long attempts go on for a webhook that is begun, or sent again, now. */
export function retryUntil(now: number): number {
  return now + RETRY_MS
}

/** What an attempt came to: the status of the answer, or why there was none. */
export type Attempt = { response_status: number; error: null } | { response_status: null; error: string }

export type DeliveryVerdict =
  | { status: 'delivered' | 'failed'; next_attempt_at: null }
  | { status: 'pending'; next_attempt_at: number }

/**
 * What follows from an attempt. Pauses double, each by chance up to half longer or shorter, so that
 * receivers that failed together aren't all asked again at once; the last attempt is at `retry_until`.
 * @param delivery `attempts` counts this one.
 * @param chance from 0 to 1.
 */
export function judgeAttempt(
  delivery: { attempts: number; retry_until: number },
  { response_status }: Attempt,
  now: number,
  chance: number,
): DeliveryVerdict {
  if (isTaken(response_status)) return { status: 'delivered', next_attempt_at: null }
  if (response_status === GONE || now >= delivery.retry_until) {
    return { status: 'failed', next_attempt_at: null }
  }
  const pause_ms = FIRST_PAUSE_MS * 2 ** Math.min(delivery.attempts - 1, DOUBLINGS_MAX)
  const next = now + Math.round(pause_ms * (0.5 + chance))
  return { status: 'pending', next_attempt_at: Math.min(next, delivery.retry_until) }
}

function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** How long the secret before a rotation signs as well, so that receivers have the time to learn the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

/** The secrets that sign now, the newest first. */
export function signingSecrets(
  stored: { secret: string; previous_secret: string | null; created_at: number },
  now: number,
): string[] {
  const overlaps = stored.previous_secret !== null && now < stored.created_at + OVERLAP_MS
  return overlaps && stored.previous_secret !== null
    ? [stored.secret, stored.previous_secret]
    : [stored.secret]
}
