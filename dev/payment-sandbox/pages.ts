import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { actOnCheckout, actOnMandate, CHECKOUT_ACTS, decideRefund, MANDATE_ACTS } from './acts.ts'
import { showCheckout } from './checkout-page.ts'
import type { Sandbox } from './events.ts'
import { showMandate, showOverview, showRefunds } from './list-pages.ts'
import { CALLBACK_MODES } from './state.ts'

const CheckoutForm = z.object({
  action: z.enum(CHECKOUT_ACTS),
  callbacks: z.enum(CALLBACK_MODES).default('once'),
  received_pct: z.coerce.number().int().min(1).max(99).optional(),
})
const MandateForm = z.object({ action: z.enum(MANDATE_ACTS) })
const RefundForm = z.object({ status: z.enum(['approved', 'rejected']) })

/** Actions after which the payer returns to the shop. */
const LEAVING: readonly string[] = ['pay', 'pay_then_fail', 'see', 'underpay', 'overpay', 'expire', 'fail']

/**
 * Runs a form's action.
 * @returns the error message to show; null on success
 */
async function attempt(act: () => void | Promise<void>): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof z.ZodError) return 'The form is invalid. Check its fields.'
    return error instanceof Error ? error.message : 'The action failed.'
  }
}

/** Serves the pages that people use. */
export function servePages(sandbox: Sandbox): Hono {
  const { state, save } = sandbox.store
  const app = new Hono()
  const missing = (context: Context) => context.text('Page not found.', 404)
  const findPayment = (wanted: string) => state.payments.find(({ reference }) => reference === wanted)
  const findMandate = (wanted: string) => state.mandates.find(({ id }) => id === wanted)

  app.use(async (context, next) => {
    await next()
    context.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    )
    context.header('cache-control', 'no-store')
  })

  app.get('/', (context) => context.html(showOverview(state)))

  app.get('/checkout/:reference', (context) => {
    const payment = findPayment(context.req.param('reference'))
    return payment === undefined ? missing(context) : context.html(showCheckout(payment, null))
  })

  app.post('/checkout/:reference', async (context) => {
    const payment = findPayment(context.req.param('reference'))
    if (payment === undefined) return missing(context)
    const form = CheckoutForm.safeParse(await context.req.parseBody())
    if (!form.success)
      return context.html(showCheckout(payment, 'The form is invalid. Check its fields.'), 400)
    const { action, callbacks, received_pct } = form.data
    const problem = await attempt(() =>
      actOnCheckout(sandbox, payment, action, { mode: callbacks, received_pct }),
    )
    if (problem !== null) return context.html(showCheckout(payment, problem), 409)
    const isLeaving = LEAVING.includes(action) && payment.return_url !== null
    return context.redirect(isLeaving ? String(payment.return_url) : `/checkout/${payment.reference}`, 303)
  })

  app.get('/mandates/:id', (context) => {
    const mandate = findMandate(context.req.param('id'))
    return mandate === undefined ? missing(context) : context.html(showMandate(mandate, state.payments, null))
  })

  app.post('/mandates/:id', async (context) => {
    const mandate = findMandate(context.req.param('id'))
    if (mandate === undefined) return missing(context)
    const problem = await attempt(async () => {
      actOnMandate(sandbox, mandate, MandateForm.parse(await context.req.parseBody()).action)
    })
    if (problem !== null) return context.html(showMandate(mandate, state.payments, problem), 409)
    return context.redirect(`/mandates/${mandate.id}`, 303)
  })

  app.get('/refunds', (context) => context.html(showRefunds(state, null)))

  app.post('/refunds', async (context) => {
    state.refunds_by_hand = (await context.req.parseBody()).refunds_by_hand === 'yes'
    save()
    return context.redirect('/refunds', 303)
  })

  app.post('/refunds/:id', async (context) => {
    const refund = state.refunds.find(({ id }) => id === context.req.param('id'))
    if (refund === undefined) return missing(context)
    const problem = await attempt(async () => {
      decideRefund(sandbox, refund, RefundForm.parse(await context.req.parseBody()).status)
    })
    return problem === null
      ? context.redirect('/refunds', 303)
      : context.html(showRefunds(state, problem), 409)
  })
  return app
}
