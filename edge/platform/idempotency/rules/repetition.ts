/** State of a request whose Idempotency-Key is already known (draft-ietf-httpapi-idempotency-key-header, 2.6). */
export type Repetition = 'answered' | 'running' | 'other_payload'

export function judgeRepetition(
  known: { fingerprint: string; completions: number },
  fingerprint: string,
): Repetition {
  if (known.fingerprint !== fingerprint) return 'other_payload'
  return known.completions > 0 ? 'answered' : 'running'
}

/**
 * Checks whether a refusal is stored as the final response. Temporary refusals (limits, conflicts, a low balance,
 * missing permissions, server errors) are not stored; those requests had no effect.
 */
export function isFinalRefusal(status: number): boolean {
  return status < 500 && ![401, 402, 403, 408, 409, 425, 429].includes(status)
}
