import { isResponding } from './checks.ts'

const INTERVAL_MS = 2000
/** Default maximum response time. */
const RESPONSE_MS_MAX = 5000
/**
 * Consecutive failures before reporting. By default, this takes ten seconds if nothing listens on the port, or half a
 * minute if nothing responds.
 */
const FAILURES_MAX = 5

/**
 * Polls a URL for as long as this process runs, and reports once if it stops responding. Watching for exits is not
 * enough, because wrangler keeps running after its workerd child process has exited.
 */
export function watchHealth(
  url: string,
  onFailure: (error: string) => void,
  response_ms_max = RESPONSE_MS_MAX,
): void {
  const interval_ms = Math.min(INTERVAL_MS, response_ms_max)
  let failures = 0
  const poll = async () => {
    try {
      await isResponding(url, AbortSignal.timeout(response_ms_max))
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === FAILURES_MAX) return onFailure(describeError(error))
    }
    setTimeout(poll, interval_ms).unref()
  }
  void poll()
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
