import type { Waits } from '../runtime/waits.ts'

/** A storage that sends nothing for longer hangs. That is an outage, even if it continues before the request fails. */
const SILENCE_SECONDS_MAX = 1

/** Returns a function to call whenever the storage has sent something. It counts long silences before as outages. */
export function watchSilence(waits: Waits | undefined): () => void {
  let heard_ms = performance.now()
  return () => {
    const now_ms = performance.now()
    const silent_seconds = (now_ms - heard_ms) / 1000
    if (silent_seconds > SILENCE_SECONDS_MAX) waits?.addOutage(silent_seconds)
    heard_ms = now_ms
  }
}
