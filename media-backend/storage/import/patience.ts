import { setTimeout as pause } from 'node:timers/promises'
import { errorText, log } from '../../runtime/log.ts'
import type { Run } from '../../runtime/run.ts'
import type { Reception } from './receive-file.ts'
import { pauseBeforeRetry } from './retry-pause.ts'
import { isTemporary, TemporaryStatus } from './temporary-errors.ts'

/**
 * Returns a function that waits after a failed try to receive a file, or throws its error if no further try is due. The
 * time from the last byte to the next try is not charged.
 */
export function startPatience(
  reception: Reception,
  { waits, environment }: Run,
  signal: AbortSignal,
): (error: unknown) => Promise<false> {
  const end_ms = performance.now() + environment.IMPORT_SECONDS_MAX * 1000
  const waited_ms_max = environment.IMPORT_WAIT_SECONDS_MAX * 1000
  let [failures, most_bytes, waited_ms] = [0, 0, 0]
  return async (error) => {
    const { received_bytes, heard_ms, version } = reception
    if (signal.aborted || !isTemporary(error, most_bytes > 0 || version !== null)) throw error
    failures = received_bytes > most_bytes ? 1 : failures + 1
    most_bytes = Math.max(most_bytes, received_bytes)
    const failed_ms = performance.now()
    const pause_ms = pauseBeforeRetry({
      failures,
      waited_ms: waited_ms + failed_ms - heard_ms,
      waited_ms_max,
      left_ms: end_ms - failed_ms,
      retry_after_ms: error instanceof TemporaryStatus ? error.retry_after_ms : null,
      random: Math.random(),
    })
    if (pause_ms === null) throw error
    log('import_retried', { error: errorText(error), failures, pause_ms: Math.round(pause_ms) })
    await pause(pause_ms, undefined, { signal })
    reception.heard_ms = performance.now()
    waited_ms += reception.heard_ms - heard_ms
    waits?.addOutage((reception.heard_ms - heard_ms) / 1000)
    return false
  }
}
