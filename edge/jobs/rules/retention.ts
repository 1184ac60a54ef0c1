/** A job may wait for its turn: a submit keeps its input for so long. */
const SOURCES_KEPT_MS = 6 * 60 * 60 * 1000
/** Less than this is too little: jobs wait behind others for ten minutes at most, and then read their input. */
const SOURCES_NEEDED_MS = 20 * 60 * 1000

/** Until when a submit keeps a file, and how old that may make it at most. */
export interface KeptFile {
  until: number
  age_ms_max: number
}

/**
 * How a submit keeps its input; however often jobs are submitted on a file, it is gone SOURCES_KEPT_MS after the time
 * (lives_ms) that files of its owner live.
 */
export function keepingOf(lives_ms: number, now: number): KeptFile {
  return { until: now + SOURCES_KEPT_MS, age_ms_max: lives_ms + SOURCES_KEPT_MS }
}

/** Times in milliseconds since 1970: since when a file is there, and until when it is kept as yet. */
interface TimedFile {
  made_at: number
  expires_at: number
}

/** Whether a file that is kept in this way outlasts a job that is submitted on it now. */
export function outlastsJob({ made_at, expires_at }: TimedFile, lives_ms: number, now: number): boolean {
  const { until, age_ms_max } = keepingOf(lives_ms, now)
  const kept_until = Math.max(expires_at, Math.min(until, made_at + age_ms_max))
  return expires_at > now && kept_until - now >= SOURCES_NEEDED_MS
}
