/** The facts that determine whether a request is logged. */
export interface LoggedRequest {
  account_id: number | null
  status: number
  at: number
}

/** The requests sampled in one minute. */
export interface LogSample {
  minute: number
  total: number
  bySubject: Map<string, number>
}

const MINUTE_MS = 60_000
/** Enough to see who is trying what, without a row for each request in a flood. */
const SAMPLED_PER_SUBJECT = 10
const SAMPLED_MAX = 300

export const emptySample = (): LogSample => ({ minute: 0, total: 0, bySubject: new Map() })

/**
 * Decides whether a request is logged. Requests rejected by rate limits and anonymous requests that fail are
 * sampled. All others are logged, because rate limits cap their number.
 * @param subject the account or address that sent the request.
 * @param sample the sample, in which this request is counted if it is sampled.
 */
export function isLogged(
  { account_id, status, at }: LoggedRequest,
  subject: string,
  sample: LogSample,
): boolean {
  const isBounded = status !== 429 && (account_id !== null || status < 400)
  if (isBounded) return true
  const minute = Math.floor(at / MINUTE_MS)
  if (minute !== sample.minute) Object.assign(sample, { ...emptySample(), minute })
  const logged = sample.bySubject.get(subject) ?? 0
  if (logged >= SAMPLED_PER_SUBJECT || sample.total >= SAMPLED_MAX) return false
  sample.bySubject.set(subject, logged + 1)
  sample.total += 1
  return true
}
