/**
 * Paddle Billing events and responses, as documented (API version 1):
 * https://developer.paddle.com/webhooks/transactions/transaction-completed (and -paid, -past-due, -payment-failed),
 * https://developer.paddle.com/webhooks/subscriptions/subscription-canceled,
 * https://developer.paddle.com/webhooks/adjustments/adjustment-updated. Product texts and images are omitted; the
 * `custom_data` is ours.
 */
const PRICE = {
  id: 'pri_01gsz8x8sawmvhz1pv30nge1ke',
  status: 'active',
  quantity: { maximum: 999, minimum: 10 },
  tax_mode: 'account_setting',
  product_id: 'pro_01gsz4t5hdjse780zja8vvr7jg',
  unit_price: { amount: '3000', currency_code: 'USD' },
  description: 'Monthly (per seat)',
  name: 'Monthly (per seat)',
  trial_period: null,
  billing_cycle: { interval: 'month', frequency: 1 },
  unit_price_overrides: [{ unit_price: { amount: '5000', currency_code: 'AUD' }, country_codes: ['AU'] }],
  custom_data: null,
}

const TOTALS = { tax: '2662', total: '32662', discount: '0', subtotal: '30000' }

export const COMPLETED = {
  event_id: 'evt_01h8e1jxjnw9ra6zarhnz1a7y1',
  event_type: 'transaction.completed',
  occurred_at: '2023-08-22T07:15:45.366122Z',
  notification_id: 'ntf_01h8e1jxna32kc43ev1vkqsq8x',
  data: {
    id: 'txn_01h8dzxgkvdwemdhbpcapj2tbj',
    items: [{ price: PRICE, quantity: 10 }],
    origin: 'web',
    status: 'completed',
    details: {
      totals: {
        ...TOTALS,
        fee: '3311',
        credit: '0',
        credit_to_balance: '0',
        balance: '0',
        earnings: '26689',
        grand_total: '32662',
        grand_total_tax: '2662',
        currency_code: 'USD',
      },
      line_items: [
        {
          id: 'txnitm_01h8e18cjzkpvj81m223nvag50',
          totals: TOTALS,
          price_id: 'pri_01gsz8x8sawmvhz1pv30nge1ke',
          quantity: 10,
          tax_rate: '0.08875',
          unit_totals: { tax: '266', total: '3266', discount: '0', subtotal: '3000' },
        },
      ],
      payout_totals: null,
      tax_rates_used: [{ totals: TOTALS, tax_rate: '0.08875' }],
    },
    checkout: { url: 'https://example.com/pay?_ptxn=txn_01h8dzxgkvdwemdhbpcapj2tbj' },
    payments: [
      {
        amount: '32662',
        status: 'captured',
        created_at: '2023-08-22T07:15:37.09387Z',
        error_code: null,
        captured_at: '2023-08-22T07:15:43.792797Z',
        payment_attempt_id: '72d47ad6-d938-4e70-8743-b8678b4ae1b6',
        stored_payment_method_id: '7330719b-627c-4bb2-9f83-f34d07ce7d2f',
      },
    ],
    billed_at: '2023-08-22T07:15:44.296865Z',
    address_id: 'add_01h8e18bzb5av13cd16m5gz214',
    created_at: '2023-08-22T06:46:35.440187Z',
    invoice_id: null,
    updated_at: '2023-08-22T07:15:44.296867Z',
    business_id: null,
    custom_data: { order_id: 'ord_example', return_url: 'https://media.example.com/billing' },
    customer_id: 'ctm_01h8e18bxp9hby49dnm8ewf0m0',
    discount_id: null,
    currency_code: 'USD',
    billing_period: null,
    invoice_number: null,
    billing_details: null,
    collection_mode: 'automatic',
    subscription_id: 'sub_01h8bxswamxysj44zt5n48njwh' as string | null,
  },
}

/** Returns the completed transaction with another event type and other changes. */
export function transactionEvent(event_type: string, changes: Partial<(typeof COMPLETED)['data']>) {
  return { ...COMPLETED, event_type, data: { ...COMPLETED.data, ...changes } }
}

export const CANCELED = {
  event_id: 'evt_01h7jk37p1ezj1k5b4kt83t35j',
  event_type: 'subscription.canceled',
  occurred_at: '2023-08-11T15:23:01.697145Z',
  notification_id: 'ntf_01h7jk37xbxzq9f7fdery7eab5',
  data: {
    id: 'sub_01h7ht5z5wdg9pz18jx1fagp8k',
    items: [{ price: PRICE, status: 'active', quantity: 10, recurring: true, next_billed_at: null }],
    status: 'canceled',
    paused_at: null,
    address_id: 'add_01h7hswbfjqez51ezfhk7s6400',
    canceled_at: '2024-01-11T08:34:01.798065409Z',
    custom_data: { order_id: 'ord_example' },
    customer_id: 'ctm_01h7hswb86rtps5ggbq7ybydcw',
    billing_cycle: { interval: 'month', frequency: 1 },
    currency_code: 'USD',
    next_billed_at: null,
    collection_mode: 'automatic',
    scheduled_change: null,
    current_billing_period: null,
  },
}

export const ADJUSTED = {
  event_id: 'evt_01h8c6wz4ac017hxdehrgdvpz4',
  event_type: 'adjustment.updated',
  occurred_at: '2023-08-21T14:10:08.650443Z',
  notification_id: 'ntf_01h8c6wz6bvsvae9t76xap5twy',
  data: {
    id: 'adj_01h8c6tbrkpdd7vx61w7b1r0ap',
    items: [
      {
        id: 'adjitm_01h8c6tbrkpdd7vx61w86e52t8',
        type: 'partial',
        amount: '100',
        totals: { tax: '8', total: '100', subtotal: '92' },
        item_id: 'txnitm_01h8bxryv3065dyh6103p3yg28',
        proration: null,
      },
    ],
    action: 'refund',
    type: 'partial',
    reason: 'withdrawal [refund rfd_example]',
    status: 'approved',
    totals: { fee: '5', tax: '8', total: '100', earnings: '87', subtotal: '92', currency_code: 'USD' },
    created_at: '2023-08-21T14:08:43.297512Z',
    updated_at: '2023-08-21T14:10:08.42549Z',
    customer_id: 'ctm_01h8441jn5pcwrfhwh78jqt8hk',
    currency_code: 'USD',
    transaction_id: 'txn_01h8bxpvx398a7zbawb77y0kp5',
    subscription_id: 'sub_01h8bxswamxysj44zt5n48njwh',
    credit_applied_to_balance: true,
  },
}
