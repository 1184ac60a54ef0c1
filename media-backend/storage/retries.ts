import { setTimeout as pause } from 'node:timers/promises'
import { countStorageRetry } from '../metrics/job-metrics.ts'
import { JobFailure } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import type { Waits } from '../runtime/waits.ts'

/** Number of tries after an error of any kind except JobFailure, all within a second. */
const TRIES_MIN = 3
const PAUSE_MS_MIN = 200
const PAUSE_MS_MAX = 10_000

/** Errors of connections and name servers. An error of the local disk, for example, is no outage of the storage. */
const NETWORK_ERRORS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
])
const TEMPORARY_STATUSES = [408, 429]

/** The work that needs the storage. */
export interface StorageCaller {
  signal?: AbortSignal | undefined
  waits?: Waits | undefined
}

/** Thrown for a response with an unexpected status. */
export class UnexpectedStatus extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(`the storage responded with ${status}: ${text}`)
    this.status = status
  }
}

/**
 * Sends a request again while the storage does not respond, for at most `outage_ms_max`. Other errors are retried only
 * TRIES_MIN times, because waiting does not help. An outage that lasts longer fails the attempt, which the queue repeats.
 */
export async function withRetries<T>(
  { signal, waits }: StorageCaller,
  outage_ms_max: number,
  action: () => Promise<T>,
): Promise<T> {
  const begun_ms = performance.now()
  let failed_ms = 0
  for (let failures = 0; ; ) {
    try {
      const result = await action()
      if (failures >= TRIES_MIN) log('storage_recovered', { seconds: secondsSince(failed_ms) })
      return result
    } catch (error) {
      failures += 1
      if (failures === 1) failed_ms = performance.now()
      const may_wait = performance.now() - failed_ms < outage_ms_max
      if (signal?.aborted || !mayRetry(error, failures, may_wait)) throw error
      reportRetry(error, failures)
    }
    await pause(pauseAfter(failures, Math.random()), undefined, { signal })
    // What a failed try has transferred is lost, so its time does not count as work either.
    waits?.addOutage(secondsSince(begun_ms))
  }
}

function mayRetry(error: unknown, failures: number, may_wait: boolean): boolean {
  if (error instanceof JobFailure) return false
  return failures < TRIES_MIN || (may_wait && isOutage(error))
}

function reportRetry(error: unknown, failures: number): void {
  if (!isOutage(error)) return
  countStorageRetry()
  if (failures === TRIES_MIN) log('storage_unavailable', { error: errorText(error) })
}

/** Checks whether the error shows that the storage does not respond now. */
export function isOutage(error: unknown): boolean {
  if (error instanceof UnexpectedStatus)
    return error.status >= 500 || TEMPORARY_STATUSES.includes(error.status)
  return error instanceof Error && 'code' in error && NETWORK_ERRORS.has(String(error.code))
}

/**
 * Returns the pause after the nth failure: it doubles up to 10 s. Half of it is random, so that the requests of many
 * jobs do not arrive at the same time once the storage responds again.
 * @param random from 0 to 1
 */
export function pauseAfter(failures: number, random: number): number {
  const longest_ms = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (failures - 1))
  return (longest_ms * (1 + random)) / 2
}

function secondsSince(start_ms: number): number {
  return (performance.now() - start_ms) / 1000
}
