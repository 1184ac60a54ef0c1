import { Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { isEqualSecret } from '../platform/crypto/equal.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readMetrics } from './read-metrics.ts'
import { renderMetrics } from './rules/metrics.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Serves metrics to the monitoring of the operator, which authenticates with `Authorization: Bearer METRICS_TOKEN`. Not
 * part of the public API: without the right token, or without the setting, the path does not exist.
 */
export const metricsRoutes = new Hono<AppEnv>().get('/internal/metrics', async (context) => {
  const deps = context.get('deps')
  const { METRICS_TOKEN } = deps.env
  const expected = `Bearer ${METRICS_TOKEN}`
  if (METRICS_TOKEN === undefined || !isEqualSecret(context.req.header('authorization') ?? '', expected))
    throw new ApiError('not_found', {})
  return context.body(renderMetrics(await readMetrics(deps)), 200, {
    'content-type': CONTENT_TYPE,
    'cache-control': 'no-store',
  })
})
