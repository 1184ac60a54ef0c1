import { z } from 'zod'
import { DAY_MS } from '../../platform/rules/days.ts'

/** Larger bodies are dropped entirely. Contract: Public endpoints, Analytics. */
export const COLLECT_BYTES_MAX = 32 * 1024
export const COLLECT_EVENTS_MAX = 50

/** A page's analytics event. Times are in ISO 8601 format or in milliseconds since 1970. */
export const WebEvent = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/),
  ts: z.union([z.iso.datetime({ offset: true }), z.number().finite()]).nullish(),
  path: z.string().max(2048).nullish(),
  referrer: z.string().max(2048).nullish(),
  props: z.record(z.string().max(64), z.unknown()).nullish(),
})
export type WebEvent = z.infer<typeof WebEvent>

export const CollectBody = z.object({
  visitor_id: z.string().max(64).nullish(),
  events: z.array(WebEvent).min(1).max(COLLECT_EVENTS_MAX),
})
export type CollectBody = z.infer<typeof CollectBody>

const PATH_LENGTH_MAX = 200
const HOST_LENGTH_MAX = 253

/** Returns the page's path without its query and fragment, which may be private. */
export function keepPath(path: string | null | undefined): string | null {
  if (path == null) return null
  const [page = ''] = path.split(/[?#]/)
  return page.slice(0, PATH_LENGTH_MAX).toWellFormed()
}

/** Returns only the host name of the referring page. */
export function keepReferrer(referrer: string | null | undefined): string | null {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:@\s]+)/iu.exec(referrer ?? '')?.[1]
  return host?.toLowerCase().slice(0, HOST_LENGTH_MAX) ?? null
}

/** Accepts the time reported by the page if it is within a day of now, because the page's clock may be wrong. */
export function keepTime(ts: WebEvent['ts'], now: number): number {
  const declared = typeof ts === 'string' ? Date.parse(ts) : ts
  if (declared == null || !Number.isFinite(declared) || Math.abs(declared - now) > DAY_MS) return now
  return Math.round(declared)
}
