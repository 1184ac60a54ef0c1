import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { recordRequest } from '../statistics/record-request.ts'
import { loggedPath } from '../statistics/rules/usage.ts'
import type { AppEnv } from './context.ts'

/** Requests to this path are not logged: pages send events for every visit, and those are stored separately. */
const UNLOGGED = '/api/v1/analytics/collect'

/**
 * Logs requests to /api/v1 after the response, but only a sample of rate-limited requests. Streams are logged when
 * they start.
 */
export const logRequests: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { clock } = context.get('deps')
  const started_at = clock.now()
  await next()
  if (context.req.path === UNLOGGED) return
  const caller = context.get('caller')
  const account_id = caller?.account?.id ?? null
  recordRequest(context.get('deps'), {
    request_id: context.get('requestId'),
    account_id,
    key_id: caller?.kind === 'key' ? caller.key.id : null,
    method: context.req.method,
    path: loggedPath(context.req.path, findPattern(context), account_id === null),
    status: context.res.status,
    duration_ms: Math.max(0, clock.now() - started_at),
    source: sourceOf(context),
    at: started_at,
    address: context.req.header('cf-connecting-ip') ?? null,
  })
}

/** Returns the path pattern of the matched endpoint; null if none matched. */
function findPattern(context: Context): string | null {
  const pattern = routePath(context, -1)
  return pattern.includes('*') ? null : pattern
}

function sourceOf(context: Context<AppEnv>): 'web' | 'api' | 'bridge' {
  if (context.req.path.startsWith('/api/v1/upload-links/')) return 'bridge'
  return context.get('caller')?.kind === 'key' ? 'api' : 'web'
}
