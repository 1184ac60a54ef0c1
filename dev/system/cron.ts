import { LOOPBACK, type Ports } from './ports.ts'

/** Runs the edge's scheduled handler once, as the cron trigger does in production. */
export async function runScheduled(ports: Ports): Promise<void> {
  const url = `http://${LOOPBACK}:${ports.edge}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`the scheduled handler failed: ${await response.text()}`)
}

/** Wrangler dev never fires crons by itself: this does it in its place. Returns how to end it. */
export function startLocalCron(ports: Ports, interval_ms: number): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let idle = true
  const timer = setInterval(() => {
    if (!idle) return
    idle = false
    // A failure is written to the edge's log by wrangler; the next turn tries again, as in production.
    running = runScheduled(ports)
      .catch(() => {})
      .finally(() => {
        idle = true
      })
  }, interval_ms)
  return async () => {
    clearInterval(timer)
    await running
  }
}
