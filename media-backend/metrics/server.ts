import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { Registry } from 'prom-client'
import type { Environment } from '../environment.ts'
import { errorText, log } from '../runtime/log.ts'
import { jobRegistry } from './job-metrics.ts'

/** Redis may be down; Prometheus then gets an error instead of waiting. */
const COLLECT_MS_MAX = 5000

export interface MetricsServer {
  close(): Promise<void>
}

/**
 * Serves the metrics on a port of their own, which is never public: the intake's port does not have them. Without
 * METRICS_PORT there is no such port.
 */
export async function startMetricsServer(
  { METRICS_PORT, METRICS_HOST }: Environment,
  queues: Registry,
): Promise<MetricsServer> {
  if (METRICS_PORT === undefined) return { close: async () => {} }
  const registry = Registry.merge([jobRegistry, queues])
  const app = new Hono()
  app.get('/metrics', async (context) => {
    const late = AbortSignal.timeout(COLLECT_MS_MAX)
    const text = await Promise.race([registry.metrics(), rejectOn(late)])
    return context.body(text, 200, { 'content-type': registry.contentType })
  })
  app.onError((error, context) => {
    log('metrics_failed', { error: errorText(error) })
    return context.text('The metrics cannot be read now.', 503)
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(METRICS_PORT, METRICS_HOST, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
