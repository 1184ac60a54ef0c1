import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Span } from '../platform/rules/paging.ts'
import { readUsagePage, type UsageFilter } from './queries.ts'

/** Lists an account's usage events, newest first. Contract: Caller info, Usage. */
export async function showUsage(
  deps: Deps,
  { account }: SessionCaller,
  { cursor, limit, offset, ...filter }: UsageFilter & Span,
) {
  const page = await readUsagePage(deps.db, account.id, filter, { cursor, limit, offset })
  const rows = page.rows.map((event) => ({
    id: event.id,
    created_at: isoTime(event.createdAt),
    source: event.source,
    action: event.action,
    service_slug: event.serviceSlug,
    operation_key: event.operationKey,
    job_id: event.jobId,
    credits: event.credits,
  }))
  return { rows, next: page.next }
}
