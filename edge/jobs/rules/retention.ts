/** How long a submission keeps its input available, because the job may wait in the queue. */
const SOURCES_KEPT_MS = 6 * 60 * 60 * 1000
/** Minimum retention that must remain at submission. Jobs wait for up to ten minutes and then read their input. */
const SOURCES_NEEDED_MS = 20 * 60 * 1000

/** The new expiration and the maximum age of a submitted file. */
export interface KeptFile {
  until: number
  age_ms_max: number
}

/**
 * Returns how far a submission extends the retention of its input. The maximum age limits repeated extensions: a
 * file lives for at most SOURCES_KEPT_MS beyond its owner's retention (lives_ms).
 */
export function keepingOf(lives_ms: number, now: number): KeptFile {
  return { until: now + SOURCES_KEPT_MS, age_ms_max: lives_ms + SOURCES_KEPT_MS }
}

/** Creation and expiration times in Unix milliseconds. */
interface TimedFile {
  made_at: number
  expires_at: number
}

/** Checks whether a file, including its extended retention, outlasts a job submitted now. */
export function outlastsJob({ made_at, expires_at }: TimedFile, lives_ms: number, now: number): boolean {
  const { until, age_ms_max } = keepingOf(lives_ms, now)
  const kept_until = Math.max(expires_at, Math.min(until, made_at + age_ms_max))
  return expires_at > now && kept_until - now >= SOURCES_NEEDED_MS
}
