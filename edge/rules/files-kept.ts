/** A job may wait for its turn: a submit keeps its input for so long. */
export const SOURCES_KEPT_MS = 6 * 60 * 60 * 1000
/** Less than this is too little: jobs wait behind others for ten minutes at most, and then read their input. */
const SOURCES_NEEDED_MS = 20 * 60 * 1000

/** Times in milliseconds since 1970: since when a file is there, and until when it is kept as yet. */
interface TimedFile {
  made_at: number
  expires_at: number
}

/**
 * Whether a file outlasts a job that is submitted on it now. However often that is done, it is gone
 * SOURCES_KEPT_MS after the time (lives_ms) that files of its owner live.
 */
export function outlastsJob({ made_at, expires_at }: TimedFile, lives_ms: number, now: number): boolean {
  const kept_until = Math.min(now, made_at + lives_ms) + SOURCES_KEPT_MS
  return expires_at > now && Math.max(expires_at, kept_until) - now >= SOURCES_NEEDED_MS
}
