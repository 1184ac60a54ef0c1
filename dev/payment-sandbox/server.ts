import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { LOOPBACK } from '../system/ports.ts'
import { processDue } from './acts.ts'
import { serveControl } from './control-api.ts'
import { makeDeliverer } from './deliver.ts'
import type { Sandbox } from './events.ts'
import { serveNowpayments } from './nowpayments-api.ts'
import { servePaddle } from './paddle-api.ts'
import { servePages } from './pages.ts'
import { openStore } from './state.ts'

const TICK_MS = 50
const BODY_BYTES_MAX = 1024 * 1024

export interface SandboxOptions {
  /** 0 means any free port. */
  port: number
  secret: string
  /** File that keeps the state across restarts; if null, the state stays in memory. */
  state_file: string | null
  /**
   * URL that receives card events; if null, they are only recorded. Crypto events go to their invoice's callback
   * URL.
   */
  card_callback_url: string | null
  late_ms?: number
  approve_refunds_after_ms?: number
  now?: () => number
}

/**
 * Simulates Paddle and NOWPayments on this machine: the parts of both APIs that the edge calls, a checkout page,
 * and events signed like the real ones. No money moves.
 */
export async function startPaymentSandbox(
  options: SandboxOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  const store = openStore(options.state_file)
  const server = createAdaptorServer({ fetch: (request) => app.fetch(request) }) as Server
  const port = await listen(server, options.port)
  const sandbox: Sandbox = {
    store,
    url: `http://${LOOPBACK}:${port}`,
    secret: options.secret,
    card_callback_url: options.card_callback_url,
    late_ms: options.late_ms ?? 20_000,
    approve_refunds_after_ms: options.approve_refunds_after_ms ?? 500,
    now: options.now ?? Date.now,
  }
  const app = makeApp(sandbox)
  const deliver = makeDeliverer(sandbox)
  const ticking = setInterval(() => {
    processDue(sandbox)
    deliver()
  }, TICK_MS)
  return {
    url: sandbox.url,
    stop: () =>
      new Promise((resolve) => {
        clearInterval(ticking)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function makeApp(sandbox: Sandbox): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    console.error(error)
    return context.text('Internal error. See the log of the sandbox.', 500)
  })
  return app
    .use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
    .get('/health', (context) => context.json({ status: 'ok', moves_money: false }))
    .route('/paddle', servePaddle(sandbox))
    .route('/nowpayments/v1', serveNowpayments(sandbox))
    .route('/control', serveControl(sandbox))
    .route('/', servePages(sandbox))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port))
  })
}
