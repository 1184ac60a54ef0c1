import { type Sandbox, signEvent } from './events.ts'
import type { SentEvent } from './state.ts'

const TIMEOUT_MS = 10_000
const FAILURES_MAX = 12
const BACKOFF_FIRST_MS = 500
const BACKOFF_MAX_MS = 60_000

/**
 * Sends an event once.
 * @returns the response status; null if the receiver cannot be reached
 */
export async function sendEvent(sandbox: Sandbox, event: SentEvent): Promise<number | null> {
  const status =
    event.url === null
      ? null
      : await post(event.url, event.body, signEvent(event, sandbox.secret, sandbox.now()))
  event.answers.push(status)
  return status
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}

function recordResponse(event: SentEvent, status: number | null, now: number): void {
  if (status !== null && status >= 200 && status < 300) {
    event.failures = 0
    event.copies_left -= 1
    event.due_at = event.copies_left > 0 ? now : null
    return
  }
  event.failures += 1
  const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** event.failures)
  event.due_at = event.failures >= FAILURES_MAX ? null : now + wait
}

/**
 * Creates a function that starts sending the events that are due and never throws. Events for the same order are
 * sent one at a time; events for different orders are sent concurrently.
 */
export function makeDeliverer(sandbox: Sandbox): () => void {
  const busy = new Set<string>()
  async function deliver(event: SentEvent): Promise<void> {
    busy.add(event.order_id)
    try {
      recordResponse(event, await sendEvent(sandbox, event), sandbox.now())
      sandbox.store.save()
    } finally {
      busy.delete(event.order_id)
    }
  }
  return () => {
    for (const event of sandbox.store.state.events) {
      const isDue = event.due_at !== null && event.due_at <= sandbox.now()
      if (isDue && !busy.has(event.order_id)) void deliver(event)
    }
  }
}
