import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { LOOPBACK } from '../system/ports.ts'
import { doWhatIsDue } from './acts.ts'
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
  /** 0: any that is free. */
  port: number
  secret: string
  /** Where its state is kept over a restart; null: nowhere. */
  state_file: string | null
  /** Where card callbacks go; crypto's go where each invoice says. null: they are only recorded. */
  card_callback_url: string | null
  late_ms?: number
  approve_refunds_after_ms?: number
  now?: () => number
}

/**
 * Stands in for Paddle and NOWPayments on this machine: both APIs as far as the edge asks them, a checkout
 * page, and callbacks signed as theirs. No money moves.
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
    doWhatIsDue(sandbox)
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
    return context.text('The sandbox failed; its log says more.', 500)
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
