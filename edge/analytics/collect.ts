import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import { dayOf } from '../platform/rules/days.ts'
import { loadSettings } from '../settings/queries.ts'
import type { NewWebEvent } from './queries.ts'
import { COLLECT_BYTES_MAX, CollectBody, keepPath, keepReferrer, keepTime } from './rules/events.ts'

const MINUTE_MS = 60_000
/** Pages send events every few seconds at most; events from faster senders are ignored. */
export const COLLECT_POLICY = { name: 'collects-minute', limit: 60, window_ms: MINUTE_MS }

/** Events that are queued for the database. */
export const WebRecord = z.object({
  batch: z.string(),
  at: z.number(),
  collected: CollectBody,
})
export type WebRecord = z.infer<typeof WebRecord>

/**
 * Collects a page's analytics events. Never throws and waits only for the body. Drops a malformed or oversized body
 * entirely. Contract: Public endpoints, Analytics.
 */
export async function collectEvents(
  deps: Deps,
  request: Request,
  isStorable: (body: unknown) => boolean,
): Promise<void> {
  const text = await readTextAtMost(request, COLLECT_BYTES_MAX).catch(() => null)
  if (text === null) return
  const collected = readBody(text, isStorable)
  if (collected !== null) deps.defer(send(deps, collected))
}

function readBody(text: string, isStorable: (body: unknown) => boolean): CollectBody | null {
  try {
    const body: unknown = JSON.parse(text)
    return isStorable(body) ? (CollectBody.safeParse(body).data ?? null) : null
  } catch {
    return null
  }
}

async function send(deps: Deps, collected: CollectBody): Promise<void> {
  const now = deps.clock.now()
  const { analytics_enabled } = await loadSettings(deps.db, now)
  if (!analytics_enabled) return
  const record: WebRecord = { batch: crypto.randomUUID(), at: now, collected }
  await deps.env.RECORDS.send({ kind: 'web', ...record }, { contentType: 'json' })
}

export function toWebEvents({ batch, at, collected }: WebRecord): NewWebEvent[] {
  return collected.events.map((event, number) => ({
    batch,
    number,
    visitorId: collected.visitor_id ?? null,
    name: event.name,
    path: keepPath(event.path),
    referrer: keepReferrer(event.referrer),
    props: event.props ?? null,
    occurredAt: keepTime(event.ts, at),
    day: dayOf(at),
    createdAt: at,
  }))
}
