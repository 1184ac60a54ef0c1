/** What decides whether a request is written to the log. */
export interface LoggedRequest {
  account_id: number | null
  status: number
  at: number
}

/** The requests of one minute that were logged as a sample. */
export interface LogSample {
  minute: number
  total: number
  bySubject: Map<string, number>
}

const MINUTE_MS = 60_000
/** Enough to see who tries what; a flood must not become as many rows. */
const SAMPLED_PER_SUBJECT = 10
const SAMPLED_MAX = 300

export const emptySample = (): LogSample => ({ minute: 0, total: 0, bySubject: new Map() })

/**
 * Decides whether a request is logged. Those of an account always are, and those that were carried out: limits
 * bound how many they can be. Of the others, which limits refused or no endpoint answered, a sample is.
 * @param subject the account or the address that sent it.
 * @param sample counts the request where it is part of the sample.
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
