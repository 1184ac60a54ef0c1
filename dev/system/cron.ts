import { LOOPBACK, type Ports } from './ports.ts'

const RUN_MS_MAX = 60_000
/** An edge that has stopped responding never ends its run, so stopping does not wait for it for long. */
const STOP_MS_MAX = 2000

/** Runs the edge's scheduled handler once, like the cron trigger in production. */
export async function runScheduled(
  ports: Ports,
  signal: AbortSignal = AbortSignal.timeout(RUN_MS_MAX),
): Promise<void> {
  const url = `http://${LOOPBACK}:${ports.edge}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`Scheduled handler failed: ${response.status} ${await response.text()}`)
}

/**
 * Runs the scheduled handler at an interval, because `wrangler dev` does not fire cron triggers.
 * @returns a function that stops the interval and lets the current run end
 */
export function startLocalCron(ports: Ports, interval_ms: number): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let isIdle = true
  const stopping = new AbortController()
  const timer = setInterval(() => {
    if (!isIdle) return
    isIdle = false
    // Wrangler writes the failure to the edge's log. The next run retries, as in production.
    running = runScheduled(ports, AbortSignal.any([stopping.signal, AbortSignal.timeout(RUN_MS_MAX)]))
      .catch(() => {})
      .finally(() => {
        isIdle = true
      })
  }, interval_ms)
  return async () => {
    clearInterval(timer)
    const deadline = setTimeout(() => stopping.abort(), STOP_MS_MAX)
    await running
    clearTimeout(deadline)
  }
}
