import { z } from 'zod'
import type { PaymentEvent, PaymentProvider, VerifiedEvent } from '../provider.ts'
import { ask, ProviderRefused } from '../request.ts'
import { readSigned } from '../unreadable.ts'
import { CryptoPayment, isExtraDeposit, mayContinue, readPayments } from './events.ts'
import { isSignedByNowpayments } from './signature.ts'

export interface NowpaymentsSettings {
  name: string
  label: string
  /** Includes the version but no trailing slash: https://api.nowpayments.io/v1 */
  api_url: string
  api_key: string
  ipn_secret: string
  callback_url: string
  /** Account credentials, which are required to list payments. */
  account: { email: string; password: string } | null
}

const PAYMENTS_MAX = 100

const Invoice = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  invoice_url: z.url(),
})
const Payments = z.object({ data: z.array(CryptoPayment) })
const Token = z.object({ token: z.string() })

/** Creates a client for NOWPayments, which hosts crypto invoices. Refunds are manual, and there are no renewals. */
export function openNowpayments(settings: NowpaymentsSettings): PaymentProvider {
  const { api_url, account } = settings
  const key = { 'x-api-key': settings.api_key }

  /** Signs in for each request. Tokens live for five minutes and are rarely needed, so they are not cached. */
  async function signIn(): Promise<Record<string, string>> {
    if (account === null) return key
    const { token } = await ask(`${api_url}/auth`, Token, { headers: {}, body: account })
    return { ...key, authorization: `Bearer ${token}` }
  }

  /** Returns null for an invoice that the provider does not know. */
  async function findPayment(order: { order_id: string; reference: string }): Promise<PaymentEvent | null> {
    try {
      return await requirePayment(order)
    } catch (error) {
      if (error instanceof ProviderRefused && error.status === 404) return null
      throw error
    }
  }

  async function requirePayment(order: {
    order_id: string
    reference: string
  }): Promise<PaymentEvent | null> {
    const query = new URLSearchParams({
      limit: String(PAYMENTS_MAX),
      page: '0',
      sortBy: 'created_at',
      orderBy: 'desc',
      invoiceId: order.reference,
    })
    const { data } = await ask(`${api_url}/payment/?${query}`, Payments, { headers: await signIn() })
    return readPayments(order.order_id, order.reference, data)
  }

  async function listPayments(since: number): Promise<CryptoPayment[]> {
    const found: CryptoPayment[] = []
    for (let page = 0; ; page++) {
      const query = new URLSearchParams({
        limit: String(PAYMENTS_MAX),
        page: String(page),
        sortBy: 'created_at',
        orderBy: 'desc',
        dateFrom: new Date(since).toISOString().slice(0, 10),
      })
      const { data } = await ask(`${api_url}/payment/?${query}`, Payments, { headers: await signIn() })
      found.push(...data)
      if (data.length < PAYMENTS_MAX) return found
    }
  }

  /** Reads a payment. An extra deposit counts only in combination with the original payment, so both are loaded. */
  async function readNews(payment: CryptoPayment): Promise<PaymentEvent | null> {
    const { order_id, invoice_id } = payment
    if (!order_id || !invoice_id) return null
    if (isExtraDeposit(payment)) return requirePayment({ order_id, reference: invoice_id })
    return readPayments(order_id, invoice_id, [payment])
  }

  return {
    name: settings.name,
    label: settings.label,
    kind: 'crypto',
    holds_mandates: false,
    refunds: false,
    finds_payments: account !== null,
    reseller: null,
    findInvoice: async () => null,

    async openCheckout({ order_id, description, amount_cents, currency, return_url, renews_every_days }) {
      if (renews_every_days !== null) throw new Error('crypto payments have no mandate')
      const invoice = await ask(`${api_url}/invoice`, Invoice, {
        headers: key,
        body: {
          price_amount: amount_cents / 100,
          price_currency: currency.toLowerCase(),
          order_id,
          order_description: description,
          ipn_callback_url: settings.callback_url,
          success_url: return_url,
          cancel_url: return_url,
          partially_paid_url: return_url,
        },
      })
      return { reference: invoice.id, redirect_url: invoice.invoice_url }
    },

    /** NOWPayments cannot close invoices, and does not know who pays. */
    async closeCheckout() {
      return false
    },
    async findPayer() {
      return null
    },
    findPayment,

    async *listPaid(since) {
      if (account === null)
        throw new Error('Listing payments requires NOWPAYMENTS_EMAIL and NOWPAYMENTS_PASSWORD.')
      const failures: unknown[] = []
      for (const { own, ...order } of groupByOrder(await listPayments(since))) {
        const read = mayContinue(own)
          ? findPayment(order)
          : Promise.resolve(readPayments(order.order_id, order.reference, own))
        const reported = await read.catch((error: unknown) => void failures.push(error))
        if (reported && reported.paid_cents > 0) yield reported
      }
      // An invoice that cannot be read does not hold up the others, but without it the list is not complete.
      if (failures.length > 0) throw failures[0]
    },

    mayHaveSigned: (headers) => /^[0-9a-f]{128}$/i.test(headers.get('x-nowpayments-sig') ?? ''),

    async readWebhook({ headers, body }, now): Promise<VerifiedEvent | null> {
      const signature = headers.get('x-nowpayments-sig')
      if (!(await isSignedByNowpayments(settings.ipn_secret, signature, body))) return null
      // Payouts and other objects also arrive at this URL.
      const payment = readSigned(body, (content) =>
        'payment_id' in (content as object) ? CryptoPayment.parse(content) : null,
      )
      if (payment === null) return { event_id: 'no payment', occurred_at: now, reported: null }
      const { payment_id, payment_status, actually_paid } = payment
      return {
        // Events have no id, but a payment reports each combination of state and amount only once.
        event_id: `${payment_id}:${payment_status}:${actually_paid ?? 0}`,
        occurred_at: timeOf(payment.updated_at) ?? now,
        reported: await readNews(payment),
      }
    },

    async refund() {
      throw new Error('NOWPayments does not support refunds; pay out manually')
    },
    async findRefund() {
      return null
    },
    async cancelMandate() {
      throw new Error('crypto payments have no mandate')
    },
    async findPaymentMethodPage() {
      return null
    },
    async findRenewals() {
      return []
    },
  }
}

/** Groups payments by their invoice. Payments that this service did not request have none. */
function groupByOrder(payments: readonly CryptoPayment[]) {
  const byInvoice = Map.groupBy(payments, ({ invoice_id }) => invoice_id)
  return [...byInvoice].flatMap(([reference, own]) => {
    const order_id = own.find((payment) => payment.order_id)?.order_id
    return reference && order_id ? [{ order_id, reference, own }] : []
  })
}

function timeOf(value: string | number | null | undefined): number | null {
  const time = new Date(value ?? Number.NaN).getTime()
  return Number.isNaN(time) ? null : time
}
