import { Hono } from 'hono'
import { z } from 'zod'
import { actOnCheckout, actOnMandate, CHECKOUT_ACTS, decideRefund, MANDATE_ACTS } from './acts.ts'
import { sendEvent } from './deliver.ts'
import { type Sandbox, signEvent } from './events.ts'
import { CALLBACK_MODES, type SentEvent } from './state.ts'

const Mode = z.enum(CALLBACK_MODES).default('once')

const Act = z.object({
  action: z.enum([...CHECKOUT_ACTS, ...MANDATE_ACTS]),
  callbacks: Mode,
  received_pct: z.int().min(1).max(99).optional(),
  /** Selects a mandate's charge; the default is the order's checkout. */
  reference: z.string().optional(),
})
const Resend = z.object({ ids: z.array(z.string()).min(1) })
const Decision = z.object({ status: z.enum(['approved', 'rejected']), callbacks: Mode })
const Settings = z.object({ refunds_by_hand: z.boolean() })

const isMandateAct = (action: string): action is (typeof MANDATE_ACTS)[number] =>
  (MANDATE_ACTS as readonly string[]).includes(action)

/**
 * Serves the control interface for tests, which can do more than the pages:
 * - `GET /checkouts`, `GET /orders/{order_id}`
 * - `POST /orders/{order_id}` {action, callbacks?, received_pct?, reference?}
 * - `POST /orders/{order_id}/events` {ids} resends those events in the given order and returns the response
 *   status of each
 * - `POST /refunds/{reference}` {status, callbacks?}
 * - `POST /settings` {refunds_by_hand}
 */
export function serveControl(sandbox: Sandbox): Hono {
  const { state, save } = sandbox.store
  const app = new Hono()

  app.onError((error, context) => context.json({ error: error.message }, 409))

  app.get('/checkouts', (context) => context.json(state.payments))

  app.get('/orders/:order_id', (context) =>
    context.json(describeOrder(sandbox, context.req.param('order_id'))),
  )

  app.post('/orders/:order_id', async (context) => {
    const orderId = context.req.param('order_id')
    const { action, callbacks, received_pct, reference } = Act.parse(await context.req.json())
    if (isMandateAct(action)) {
      const mandate = state.mandates.findLast(({ order_id }) => order_id === orderId)
      if (mandate === undefined) throw new Error(`The order ${orderId} has no mandate.`)
      actOnMandate(sandbox, mandate, action, callbacks)
    } else {
      const payment = state.payments.findLast(
        (known) =>
          known.order_id === orderId &&
          (reference === undefined ? known.origin === 'checkout' : known.reference === reference),
      )
      if (payment === undefined) throw new Error(`The order ${orderId} has no checkout.`)
      actOnCheckout(sandbox, payment, action, { mode: callbacks, received_pct })
    }
    return context.json(describeOrder(sandbox, orderId))
  })

  app.post('/orders/:order_id/events', async (context) => {
    const { ids } = Resend.parse(await context.req.json())
    const answers: { id: string; status: number | null }[] = []
    for (const id of ids) {
      const event = state.events.find((known) => known.id === id)
      if (event === undefined) throw new Error(`Event ${id} not found.`)
      answers.push({ id, status: await sendEvent(sandbox, event) })
    }
    save()
    return context.json(answers)
  })

  app.post('/refunds/:reference', async (context) => {
    const { status, callbacks } = Decision.parse(await context.req.json())
    const refund = state.refunds.find(({ id }) => id === context.req.param('reference'))
    if (refund === undefined) throw new Error('Refund not found.')
    decideRefund(sandbox, refund, status, callbacks)
    return context.json(refund)
  })

  app.post('/settings', async (context) => {
    Object.assign(state, Settings.parse(await context.req.json()))
    save()
    return context.json({ refunds_by_hand: state.refunds_by_hand })
  })
  return app
}

/** An order with its payments, mandates, refunds, and events, as the control interface returns it. */
export type OrderDescription = ReturnType<typeof describeOrder>

function describeOrder(sandbox: Sandbox, orderId: string) {
  const { payments, mandates, refunds, events } = sandbox.store.state
  const own = payments.filter(({ order_id }) => order_id === orderId)
  const sign = (event: SentEvent) => ({ ...event, headers: signEvent(event, sandbox.secret, sandbox.now()) })
  return {
    payments: own,
    mandates: mandates.filter(({ order_id }) => order_id === orderId),
    refunds: refunds.filter(({ transaction }) => own.some(({ reference }) => reference === transaction)),
    /** Signed with the current time, so a test can send the events itself. */
    events: events.filter(({ order_id }) => order_id === orderId).map(sign),
  }
}
