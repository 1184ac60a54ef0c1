import { setTimeout as delay } from 'node:timers/promises'

const INTERVAL_MS = 50

/**
 * Repeats a check until it returns true. A check that throws counts as false.
 * @param subject what to wait for, used as the subject of the error message
 * @throws after `timeout_ms`, with the last check's error as the cause
 */
export async function waitUntil(
  subject: string,
  check: (signal: AbortSignal) => Promise<boolean> | boolean,
  timeout_ms: number,
): Promise<void> {
  const deadline = Date.now() + timeout_ms
  let cause: unknown
  while (Date.now() < deadline) {
    try {
      if (await check(AbortSignal.timeout(Math.max(1, Math.min(5000, deadline - Date.now()))))) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    await delay(INTERVAL_MS)
  }
  throw new Error(`${subject} was not ready within ${timeout_ms / 1000} s`, { cause })
}
