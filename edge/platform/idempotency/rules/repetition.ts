/** What an Idempotency-Key that was seen before means. draft-ietf-httpapi-idempotency-key-header, 2.6. */
export type Repetition = 'answered' | 'running' | 'other_payload'

export function judgeRepetition(
  known: { fingerprint: string; completions: number },
  fingerprint: string,
): Repetition {
  if (known.fingerprint !== fingerprint) return 'other_payload'
  return known.completions > 0 ? 'answered' : 'running'
}

/**
 * Whether a refusal is the answer for good. What passes (a limit, a conflict, a balance that is filled up
 * again, a right that is given, a fault of ours) is not, and such a request has done nothing.
 */
export function isFinalRefusal(status: number): boolean {
  return status < 500 && ![401, 402, 403, 408, 409, 425, 429].includes(status)
}
