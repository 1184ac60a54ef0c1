import { z } from 'zod'
import type { CheckoutRequest, PaymentProvider, RefundEvent, RefundRequest } from '../provider.ts'
import { ask, ProviderRefused } from '../request.ts'
import { markReason, readPaddleEvent, readPayment, readRefund, readRenewal, toSettled } from './events.ts'
import {
  Adjustment,
  Answered,
  Invoice,
  PaddleError,
  PaidTransaction,
  Subscription,
  Transaction,
} from './shapes.ts'
import { isSignedByPaddle, readSignature } from './signature.ts'

export interface PaddleSettings {
  name: string
  label: string
  /** Has no trailing slash. */
  api_url: string
  api_key: string
  webhook_secrets: readonly string[]
  /**
   * The account's hosted checkout (https://pay.paddle.io/hsc_…), or our own page with Paddle.js on an approved
   * domain. If undefined, the account's default payment link is used.
   */
  checkout_url: string | undefined
}

const HOSTED = /^(sandbox-)?pay\.paddle\.io$/
const ENDED = ['subscription_is_canceled_action_invalid', 'subscription_update_when_canceled']
const REFUNDS_MAX = 50
const RENEWALS_MAX = 10
const TRANSACTIONS_PER_PAGE = 30
const NAME_CHARACTERS_MAX = 150

/**
 * Creates a client for Paddle Billing, the merchant of record for cards and wallets. Subscriptions serve as
 * mandates, and adjustments as refunds. Does not use Paddle's Node SDK: its requests have no timeout or size limit,
 * it does not validate responses, and it accepts only one of the two signatures that Paddle sends during a secret
 * rotation.
 */
export function openPaddle(settings: PaddleSettings): PaymentProvider {
  const headers = { authorization: `Bearer ${settings.api_key}`, 'paddle-version': '1' }
  async function call<Answer>(
    path: string,
    shape: z.ZodType<Answer>,
    body?: unknown,
    more: { method?: 'PATCH' } = {},
  ): Promise<Answer> {
    const answer = await ask(`${settings.api_url}${path}`, Answered, { headers, body, ...more })
    return shape.parse(answer.data)
  }

  async function findOwnRefund(request: RefundRequest): Promise<RefundEvent | null> {
    const query = `transaction_id=${request.reference}&action=refund&per_page=${REFUNDS_MAX}`
    const known = await call(`/adjustments?${query}`, z.array(Adjustment))
    return known.map(readRefund).find((reported) => reported?.refund_id === request.refund_id) ?? null
  }

  async function createRefund(request: RefundRequest): Promise<RefundEvent> {
    const common = {
      action: 'refund',
      transaction_id: request.reference,
      reason: markReason(request.reason, request.refund_id),
    }
    const body = request.whole
      ? { ...common, type: 'full' }
      : { ...common, type: 'partial', tax_mode: 'external', items: [await partOf(request)] }
    const reported = readRefund(await call('/adjustments', Adjustment, body))
    if (reported === null) throw new Error(`Paddle did not create a refund for ${request.refund_id}`)
    return reported
  }

  /** Builds the line item of a partial refund. Checkouts and renewals have exactly one line. */
  async function partOf({ reference, amount_cents }: RefundRequest) {
    const transaction = await call(`/transactions/${encodeURIComponent(reference)}`, Transaction)
    const [line, ...others] = transaction.details.line_items
    if (line?.id === undefined || others.length > 0)
      throw new Error(`${reference} does not have exactly one line item`)
    return { item_id: line.id, type: 'partial', amount: String(toSettled(transaction, amount_cents)) }
  }

  return {
    name: settings.name,
    label: settings.label,
    kind: 'card',
    holds_mandates: true,
    refunds: true,
    finds_payments: true,
    reseller: 'Paddle.com',

    async openCheckout(request) {
      const transaction = await call('/transactions', Transaction, describeCheckout(request, settings))
      const redirect_url = isHosted(settings.checkout_url)
        ? hostedUrl(settings.checkout_url, transaction.id, request.email)
        : transaction.checkout?.url
      if (!redirect_url) throw new Error('Paddle returned no checkout URL. Set a default payment link.')
      return { reference: transaction.id, redirect_url }
    },

    async closeCheckout(reference) {
      const path = `/transactions/${encodeURIComponent(reference)}`
      try {
        await call(path, Transaction, { status: 'canceled' }, { method: 'PATCH' })
        return true
      } catch (error) {
        if (!(error instanceof ProviderRefused && error.status === 400)) throw error
        // Paddle refuses it for a canceled or paid transaction, and for a draft, whose checkout nobody has opened yet.
        return (await call(path, Transaction)).status === 'canceled'
      }
    },

    async findPayer(reference) {
      const path = `/transactions/${encodeURIComponent(reference)}?include=customer`
      return (await call(path, PaidTransaction)).customer?.email ?? null
    },

    async findPayment({ reference }) {
      try {
        return readPayment(await call(`/transactions/${encodeURIComponent(reference)}`, Transaction))
      } catch (error) {
        if (error instanceof ProviderRefused && error.status === 404) return null
        throw error
      }
    },

    async findInvoice(reference) {
      try {
        const path = `/transactions/${encodeURIComponent(reference)}/invoice?disposition=inline`
        return (await call(path, Invoice)).url
      } catch (error) {
        // A transaction without a charge has no invoice.
        if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400)) return null
        throw error
      }
    },

    async *listPaid(since) {
      for (let after: string | undefined; ; ) {
        const query = new URLSearchParams({
          status: 'completed',
          'created_at[GTE]': new Date(since).toISOString(),
          order_by: 'created_at[DESC]',
          per_page: String(TRANSACTIONS_PER_PAGE),
          ...(after === undefined ? {} : { after }),
        })
        const transactions = await call(`/transactions?${query}`, z.array(Transaction))
        yield* transactions.flatMap((transaction) => readPayment(transaction) ?? [])
        // Paddle may send fewer per page than requested, so only an empty page is the end.
        after = transactions.at(-1)?.id
        if (after === undefined) return
      }
    },

    mayHaveSigned: (headers, now) => readSignature(headers.get('paddle-signature'), now) !== null,

    async readWebhook({ headers, body }, now) {
      const header = headers.get('paddle-signature')
      return (await isSignedByPaddle(settings.webhook_secrets, header, body, now))
        ? readPaddleEvent(body)
        : null
    },

    async refund(request) {
      const known = await findOwnRefund(request)
      if (known !== null) return known
      try {
        return await createRefund(request)
      } catch (error) {
        // Paddle refuses a second refund while one is pending. The pending one may be this refund, made by a
        // concurrent request.
        const made = error instanceof ProviderRefused ? await findOwnRefund(request) : null
        if (made !== null) return made
        throw error
      }
    },

    async findRefund(reference) {
      const [adjustment] = await call(`/adjustments?id=${encodeURIComponent(reference)}`, z.array(Adjustment))
      return adjustment === undefined ? null : readRefund(adjustment)
    },

    async cancelMandate(mandate) {
      const path = `/subscriptions/${encodeURIComponent(mandate)}/cancel`
      try {
        await call(path, Subscription, { effective_from: 'immediately' })
      } catch (error) {
        if (!(error instanceof ProviderRefused && ENDED.includes(codeOf(error)))) throw error
      }
    },

    async findPaymentMethodPage(mandate) {
      const { management_urls } = await call(`/subscriptions/${encodeURIComponent(mandate)}`, Subscription)
      return management_urls?.update_payment_method ?? null
    },

    async findRenewals(mandate) {
      const query = new URLSearchParams({
        subscription_id: mandate,
        origin: 'subscription_recurring',
        order_by: 'created_at[DESC]',
        per_page: String(RENEWALS_MAX),
      })
      const transactions = await call(`/transactions?${query}`, z.array(Transaction))
      return transactions.flatMap((transaction) => readRenewal(transaction) ?? [])
    },
  }
}

function describeCheckout(request: CheckoutRequest, { checkout_url }: PaddleSettings) {
  const { order_id, description, amount_cents, currency, return_url, renews_every_days } = request
  const name = description.slice(0, NAME_CHARACTERS_MAX)
  return {
    items: [
      {
        quantity: 1,
        price: {
          name,
          description: `Order ${order_id}`,
          tax_mode: 'external',
          unit_price: { amount: String(amount_cents), currency_code: currency },
          quantity: { minimum: 1, maximum: 1 },
          billing_cycle:
            renews_every_days === null ? null : { interval: 'day', frequency: renews_every_days },
          product: { name, tax_category: 'standard' },
        },
      },
    ],
    currency_code: currency,
    collection_mode: 'automatic',
    // A self-hosted checkout page reads its redirect URL from here.
    custom_data: { order_id, return_url },
    ...(checkout_url !== undefined && !isHosted(checkout_url) ? { checkout: { url: checkout_url } } : {}),
  }
}

function isHosted(url: string | undefined): url is string {
  return url !== undefined && HOSTED.test(new URL(url).hostname)
}

function hostedUrl(checkoutUrl: string, transactionId: string, email: string): string {
  const url = new URL(checkoutUrl)
  url.searchParams.set('transaction_id', transactionId)
  url.searchParams.set('user_email', email)
  return url.href
}

function codeOf({ detail }: ProviderRefused): string {
  try {
    return PaddleError.parse(JSON.parse(detail)).error.code
  } catch {
    return ''
  }
}
