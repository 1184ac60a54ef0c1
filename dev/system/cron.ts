import { LOOPBACK, type Ports } from './ports.ts'

/** Runs the edge's scheduled handler once, like the cron trigger in production. */
export async function runScheduled(ports: Ports): Promise<void> {
  const url = `http://${LOOPBACK}:${ports.edge}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`Scheduled handler failed: ${response.status} ${await response.text()}`)
}

/**
 * Runs the scheduled handler at an interval, because `wrangler dev` does not fire cron triggers.
 * @returns a function that stops the interval and waits for the current run
 */
export function startLocalCron(ports: Ports, interval_ms: number): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle) return
    isIdle = false
    // Wrangler writes the failure to the edge's log. The next run retries, as in production.
    running = runScheduled(ports)
      .catch(() => {})
      .finally(() => {
        isIdle = true
      })
  }, interval_ms)
  return async () => {
    clearInterval(timer)
    await running
  }
}
