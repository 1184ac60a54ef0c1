import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { actOnCheckout, actOnMandate } from './acts.ts'
import { recordAdjustment, recordTransaction, type Sandbox } from './events.ts'
import {
  describeAdjustment,
  describeCustomer,
  describeSubscription,
  describeTransaction,
} from './paddle-entities.ts'
import { type Payment, paddleId, type Refund } from './state.ts'

const Cents = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)

const NewTransaction = z.object({
  items: z
    .array(
      z.object({
        quantity: z.literal(1),
        price: z.object({
          name: z.string().min(1).max(150),
          description: z.string().min(2).max(500),
          tax_mode: z.literal('external'),
          unit_price: z.object({ amount: Cents, currency_code: z.string().length(3) }),
          billing_cycle: z.object({ interval: z.literal('day'), frequency: z.int().min(1) }).nullable(),
          product: z.object({ name: z.string().min(1), tax_category: z.string() }),
        }),
      }),
    )
    .length(1),
  custom_data: z.looseObject({ order_id: z.string().min(1), return_url: z.url().optional() }),
})

/** The edge only cancels transactions. */
const TransactionUpdate = z.strictObject({ status: z.literal('canceled') })

const NewAdjustment = z.object({
  action: z.literal('refund'),
  transaction_id: z.string(),
  reason: z.string().min(1),
  type: z.enum(['full', 'partial']).default('partial'),
  tax_mode: z.enum(['internal', 'external']).optional(),
  items: z
    .array(z.object({ item_id: z.string(), type: z.literal('partial'), amount: Cents }))
    .length(1)
    .optional(),
})

type Status = 400 | 403 | 404 | 409

function refuse(context: Context, status: Status, code: string, detail: string) {
  const error = {
    type: 'request_error',
    code,
    detail,
    documentation_url: `https://developer.paddle.com/errors/${code}`,
  }
  return context.json({ error, meta: { request_id: crypto.randomUUID() } }, status)
}

function answer(context: Context, data: unknown, status: 200 | 201 = 200) {
  const pagination = Array.isArray(data)
    ? { pagination: { per_page: 50, next: context.req.url, has_more: false, estimated_total: data.length } }
    : {}
  return context.json({ data, meta: { request_id: crypto.randomUUID(), ...pagination } }, status)
}

/** Serves the part of the Paddle Billing API that the edge calls. */
export function servePaddle(sandbox: Sandbox): Hono {
  const { store, url } = sandbox
  const app = new Hono()
  const findPayment = (reference: string) =>
    store.state.payments.find((payment) => payment.kind === 'card' && payment.reference === reference)

  app.use(async (context, next) => {
    if (/^bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1] === sandbox.secret)
      return next()
    return refuse(context, 403, 'forbidden', "You aren't permitted to perform this request.")
  })

  app.post('/transactions', async (context) => {
    const parsed = NewTransaction.safeParse(await context.req.json())
    if (!parsed.success) return refuse(context, 400, 'bad_request', z.prettifyError(parsed.error))
    const payment = makePayment(parsed.data, sandbox.now())
    store.state.payments.push(payment)
    recordTransaction(sandbox, 'ready', payment, 'once')
    store.save()
    return answer(context, describeTransaction(payment, url), 201)
  })

  app.get('/transactions/:id', (context) => {
    const payment = findPayment(context.req.param('id'))
    if (payment === undefined) return refuse(context, 404, 'not_found', 'Entity not found')
    const customer =
      context.req.query('include') === 'customer' ? { customer: describeCustomer(payment) } : {}
    return answer(context, { ...describeTransaction(payment, url), ...customer })
  })

  app.patch('/transactions/:id', async (context) => {
    const parsed = TransactionUpdate.safeParse(await context.req.json())
    if (!parsed.success) return refuse(context, 400, 'bad_request', z.prettifyError(parsed.error))
    const payment = findPayment(context.req.param('id'))
    if (payment === undefined) return refuse(context, 404, 'not_found', 'Entity not found')
    if (payment.status !== 'open') {
      return refuse(context, 400, 'transaction_immutable', 'Cannot update immutable transaction')
    }
    actOnCheckout(sandbox, payment, 'expire')
    return answer(context, describeTransaction(payment, url))
  })

  app.get('/transactions/:id/invoice', (context) => {
    const payment = findPayment(context.req.param('id'))
    if (payment === undefined) return refuse(context, 404, 'not_found', 'Entity not found')
    if (payment.status !== 'paid') {
      return refuse(context, 400, 'transaction_invoice_not_available', 'The transaction is not completed.')
    }
    return answer(context, { url: `${url}/checkout/${payment.reference}` })
  })

  app.get('/transactions', (context) => {
    const { subscription_id, origin, status, after, per_page = '50' } = context.req.query()
    const found = store.state.payments
      .filter(({ kind }) => kind === 'card')
      .filter(({ mandate }) => subscription_id === undefined || mandate === subscription_id)
      .map((payment) => describeTransaction(payment, url))
      .filter((transaction) => origin === undefined || transaction.origin === origin)
      .filter((transaction) => status === undefined || transaction.status === status)
      .reverse()
    const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
    return answer(context, found.slice(start, start + Number(per_page)))
  })

  app.post('/adjustments', async (context) => {
    const parsed = NewAdjustment.safeParse(await context.req.json())
    if (!parsed.success) return refuse(context, 400, 'bad_request', z.prettifyError(parsed.error))
    const payment = findPayment(parsed.data.transaction_id)
    if (payment?.status !== 'paid') {
      return refuse(context, 400, 'adjustment_transaction_invalid_status_for_refund', 'not completed')
    }
    const refund = makeRefund(parsed.data, payment, sandbox)
    if (typeof refund === 'string') return refuse(context, 409, refund, 'this refund is not possible')
    store.state.refunds.push(refund)
    recordAdjustment(sandbox, 'created', refund, payment, 'once')
    store.save()
    return answer(context, describeAdjustment(refund, payment), 201)
  })

  app.get('/adjustments', (context) => {
    const { transaction_id, id, action } = context.req.query()
    const found = store.state.refunds
      .filter((refund) => id === undefined || refund.id === id)
      .filter((refund) => action === undefined || refund.action === action)
      .filter((refund) => transaction_id === undefined || refund.transaction === transaction_id)
      .flatMap((refund) => {
        const payment = findPayment(refund.transaction)
        return payment === undefined ? [] : [describeAdjustment(refund, payment)]
      })
    return answer(context, found.reverse())
  })

  app.get('/subscriptions/:id', (context) => {
    const mandate = store.state.mandates.find(({ id }) => id === context.req.param('id'))
    if (mandate === undefined) return refuse(context, 404, 'not_found', 'Entity not found')
    const page = `${url}/mandates/${mandate.id}`
    const management_urls = { update_payment_method: page, cancel: page }
    return answer(context, { ...describeSubscription(mandate), management_urls })
  })

  app.post('/subscriptions/:id/cancel', (context) => {
    const mandate = store.state.mandates.find(({ id }) => id === context.req.param('id'))
    if (mandate === undefined) return refuse(context, 404, 'not_found', 'Entity not found')
    if (mandate.status === 'canceled') {
      return refuse(context, 400, 'subscription_update_when_canceled', 'subscription is canceled')
    }
    actOnMandate(sandbox, mandate, 'cancel')
    return answer(context, describeSubscription(mandate))
  })
  return app
}

function makePayment({ items, custom_data }: z.infer<typeof NewTransaction>, now: number): Payment {
  const price = items[0]?.price
  if (price === undefined) throw new Error('The transaction has no item.')
  return {
    reference: paddleId('txn'),
    order_id: custom_data.order_id,
    kind: 'card',
    origin: 'checkout',
    status: 'open',
    description: price.name,
    amount_cents: price.unit_price.amount,
    currency: price.unit_price.currency_code,
    custom_data,
    return_url: custom_data.return_url ?? null,
    callback_url: null,
    renews_every_days: price.billing_cycle?.frequency ?? null,
    mandate: null,
    received_pct: 0,
    was_declined: false,
    charged_back: false,
    part_id: paddleId('txnitm'),
    created_at: now,
    updated_at: now,
  }
}

/** @returns Paddle's error code if a refund is pending or the refunds would exceed the payment */
function makeRefund(
  asked: z.infer<typeof NewAdjustment>,
  payment: Payment,
  { store, now }: Sandbox,
): Refund | string {
  const others = store.state.refunds.filter(
    ({ transaction, status }) => transaction === payment.reference && status !== 'rejected',
  )
  if (others.some(({ status }) => status === 'pending_approval')) return 'adjustment_pending_refund_request'
  const returned = others.reduce((sum, refund) => sum + refund.amount_cents, 0)
  const [item] = asked.items ?? []
  const amount_cents = asked.type === 'full' ? payment.amount_cents : (item?.amount ?? 0)
  if (amount_cents < 1 || amount_cents + returned > payment.amount_cents)
    return 'adjustment_total_amount_above_remaining_allowed'
  return {
    id: paddleId('adj'),
    action: 'refund',
    transaction: payment.reference,
    type: asked.type,
    amount_cents,
    reason: asked.reason,
    status: 'pending_approval',
    created_at: now(),
    updated_at: now(),
  }
}
