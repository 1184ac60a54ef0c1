import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { listRequestLogs } from './request-log-queries.ts'
import { scopeOf } from './rules/usage.ts'

/**
 * Lists recent requests, newest first. Each request appears after a few seconds. Contract: Statistics, Request
 * logs.
 */
export async function showLogs(
  deps: Deps,
  caller: SessionCaller,
  { limit, mine }: { limit: number; mine: boolean },
) {
  const scope = scopeOf(caller, mine)
  const logs = await listRequestLogs(deps.logs, scope.kind === 'own' ? scope.account_id : null, limit)
  return logs.map((log) => ({
    id: log.id,
    created_at: isoTime(log.createdAt),
    request_id: log.requestId,
    method: log.method,
    path: log.path,
    status: log.status,
    duration_ms: log.durationMs,
    source: log.source,
    key_id: log.keyId,
    ip_hash: log.ipHash,
  }))
}
