import { Hono } from 'hono'
import { z } from 'zod'
import type { Sandbox } from './events.ts'
import { describeCryptoPayment, describeInvoice } from './nowpayments-entities.ts'
import { numberId, type Payment } from './state.ts'

const NewInvoice = z.object({
  price_amount: z.number().positive(),
  price_currency: z.string().length(3),
  order_id: z.string().min(1),
  order_description: z.string(),
  ipn_callback_url: z.url(),
  success_url: z.url(),
})

const Account = z.object({ email: z.string(), password: z.string() })

/** Serves the part of the NOWPayments API that the edge calls. */
export function serveNowpayments(sandbox: Sandbox): Hono {
  const { store, secret, url } = sandbox
  const app = new Hono()

  app.post('/auth', async (context) => {
    const account = Account.safeParse(await context.req.json())
    if (account.data?.password === secret) return context.json({ token: secret })
    return context.json({ statusCode: 403, code: 'AUTH_REQUIRED', message: 'Invalid credentials' }, 403)
  })

  app.use(async (context, next) => {
    if (context.req.header('x-api-key') === secret) return next()
    return context.json({ statusCode: 403, code: 'INVALID_API_KEY', message: 'Invalid api key' }, 403)
  })

  app.post('/invoice', async (context) => {
    const parsed = NewInvoice.safeParse(await context.req.json())
    if (!parsed.success) {
      const message = z.prettifyError(parsed.error)
      return context.json({ statusCode: 400, code: 'BAD_CREATE_INVOICE_REQUEST', message }, 400)
    }
    const payment = makePayment(parsed.data, sandbox.now())
    store.state.payments.push(payment)
    store.save()
    return context.json(describeInvoice(payment, url))
  })

  app.get('/payment/', (context) => {
    if (context.req.header('authorization') !== `Bearer ${secret}`) {
      return context.json(
        { statusCode: 401, code: 'AUTH_REQUIRED', message: 'Authorization header is empty' },
        401,
      )
    }
    const { invoiceId, page = '0' } = context.req.query()
    const data = store.state.payments
      .filter(({ kind }) => kind === 'crypto' && page === '0')
      .filter(({ reference }) => invoiceId === undefined || reference === invoiceId)
      .map(describeCryptoPayment)
    return context.json({ data, limit: data.length, page: 0, pagesCount: 1, total: data.length })
  })
  return app
}

function makePayment(invoice: z.infer<typeof NewInvoice>, now: number): Payment {
  return {
    reference: numberId(),
    order_id: invoice.order_id,
    kind: 'crypto',
    origin: 'checkout',
    status: 'open',
    description: invoice.order_description,
    amount_cents: Math.round(invoice.price_amount * 100),
    currency: invoice.price_currency.toUpperCase(),
    custom_data: {},
    return_url: invoice.success_url,
    callback_url: invoice.ipn_callback_url,
    renews_every_days: null,
    mandate: null,
    received_pct: 0,
    was_declined: false,
    charged_back: false,
    part_id: numberId(),
    created_at: now,
    updated_at: now,
  }
}
