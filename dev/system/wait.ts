import { setTimeout as delay } from 'node:timers/promises'

const INTERVAL_MS = 50

/**
 * Asks until the check says true; a check that throws counts as not yet. Throws, with the last reason,
 * when `timeout_ms` is over.
 */
export async function waitUntil(
  what: string,
  check: (signal: AbortSignal) => Promise<boolean> | boolean,
  timeout_ms: number,
): Promise<void> {
  const deadline = Date.now() + timeout_ms
  let reason: unknown
  while (Date.now() < deadline) {
    try {
      if (await check(AbortSignal.timeout(Math.max(1, Math.min(5000, deadline - Date.now()))))) return
      reason = undefined
    } catch (error) {
      reason = error
    }
    await delay(INTERVAL_MS)
  }
  throw new Error(`${what} was not ready within ${timeout_ms / 1000} s`, { cause: reason })
}
