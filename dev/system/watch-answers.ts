import { answers } from './checks.ts'

const INTERVAL_MS = 2000
const ANSWER_MS_MAX = 5000
/** In a row: ten seconds of a port where nothing listens, half a minute of one where nothing answers. */
const FAILURES_MAX = 5

/**
 * Asks an address again and again, for as long as this process runs, and reports once when it stopped answering:
 * a process can outlive the one that it started to do the work, as wrangler outlives workerd.
 */
export function watchAnswers(url: string, onSilence: (error: string) => void): void {
  let failures = 0
  const look = async () => {
    try {
      await answers(url, AbortSignal.timeout(ANSWER_MS_MAX))
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === FAILURES_MAX) return onSilence(describe(error))
    }
    setTimeout(look, INTERVAL_MS).unref()
  }
  void look()
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
