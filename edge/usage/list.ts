import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { listUsage, type UsagePage } from './queries.ts'

/** Lists an account's usage events, newest first. Contract: Caller info, Usage. */
export async function showUsage(deps: Deps, { account }: SessionCaller, page: UsagePage) {
  return (await listUsage(deps.db, account.id, page)).map((event) => ({
    id: event.id,
    created_at: isoTime(event.createdAt),
    source: event.source,
    action: event.action,
    service_slug: event.serviceSlug,
    operation_key: event.operationKey,
    job_id: event.jobId,
    credits: event.credits,
  }))
}
