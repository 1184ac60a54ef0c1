import { type ErrorEntry, withFacts } from './entry.ts'

const CONSENTS = {
  accept_documents: 'the purchase documents',
  accept_immediate: 'immediate delivery',
  accept_recurring: 'recurring charges',
}
export type ConsentField = keyof typeof CONSENTS

const OBSTACLES = {
  renewal_disabled: 'Plans that renew automatically are not on sale',
  provider_cannot_renew: 'This payment method cannot be charged again automatically',
  bundle: 'A bundle does not renew automatically',
  term_running: 'A paid term is already running',
}
export type RenewalObstacle = keyof typeof OBSTACLES

/** Errors for orders, payments, subscriptions and refunds. */
export const MONEY_ERRORS = {
  payments_not_enabled: {
    status: 403,
    detail: 'payments are not enabled for this account yet',
    literal: true,
    help: 'Hide the shop: the lists of plans and packages are empty until payments are enabled.',
  },
  consent_required: withFacts({
    status: 400,
    detail: ({ param }: { param: ConsentField }) =>
      `${param} must be true. You must agree to ${CONSENTS[param]}.`,
    example: { param: 'accept_documents' },
    help: 'Show the checkbox, and send true once it is checked.',
  }),
  plan_not_found: {
    status: 404,
    detail: 'Plan not found. Use the id of a listed plan.',
    help: 'Use an id from the public pricing.',
  },
  package_not_found: {
    status: 404,
    detail: 'Package not found. Use the id of a listed package.',
    help: 'Use an id from the public pricing.',
  },
  months_not_offered: withFacts({
    status: 400,
    detail: ({ plan, offered, months }: { plan: string; offered: readonly number[]; months: number }) =>
      `months must be one of ${offered.join(', ')} for ${plan}, not ${months}.`,
    example: { plan: 'Pro', offered: [1, 12], months: 5 },
    help: 'Use a term that the public pricing shows for the plan.',
  }),
  payment_provider_closed: withFacts({
    status: 400,
    detail: ({ provider, open }: { provider: string | null; open: readonly string[] }) =>
      `provider ${provider ?? 'default'} does not accept payments. ` +
      (open.length === 0 ? 'None is open at the moment.' : `Use ${open.join(' or ')}.`),
    example: { provider: 'crypto', open: ['card'] },
    help: 'Use a provider from GET /api/v1/billing/providers.',
  }),
  payment_provider_not_found: {
    status: 404,
    detail: 'Payment provider not found. Check the address of the webhook.',
    help: 'At the provider, configure the webhook URL that the API reference shows.',
  },
  payment_provider_unavailable: {
    status: 502,
    detail: 'The payment provider could not be reached, and nothing was charged. Try again later.',
    help: 'Try again with exponential backoff.',
  },
  unreadable_event: {
    status: 422,
    detail: 'The signed event does not match the documented format. Check the API version at the provider.',
    help: 'Check the API version of the webhook at the provider.',
  },
  order_not_found: {
    status: 404,
    detail: 'Order not found. Check its id.',
    help: 'Use an id from the list of orders.',
  },
  too_many_unpaid_orders: withFacts({
    status: 429,
    detail: ({ waiting }: { waiting: number }) =>
      `${waiting} orders are waiting to be paid. Pay one of them, or wait until one expires.`,
    example: { waiting: 50 },
    retry_after_seconds: 3600,
    help: 'Pay an open order, or wait until one expires.',
  }),
  subscription_required: {
    status: 409,
    shape: 'object',
    detail: 'Packages require an active plan. Subscribe to a plan first.',
    help: 'Offer a plan first.',
  },
  recurring_unavailable: withFacts({
    status: 409,
    shape: 'object',
    detail: ({ obstacle }: { obstacle: RenewalObstacle }) =>
      `${OBSTACLES[obstacle]}. Order with auto_renew set to false.`,
    example: { obstacle: 'bundle' },
    help: 'Order with auto_renew set to false.',
  }),
  another_plan_running: withFacts({
    status: 409,
    detail: ({ plan }: { plan: string }) =>
      `Your ${plan} plan is still active. Buy another plan after it ends.`,
    example: { plan: 'Pro' },
    help: 'Extend the active plan, or wait until it ends.',
  }),
  not_recurring: {
    status: 409,
    shape: 'object',
    detail: 'You have no plan that renews automatically, so there is nothing to cancel.',
    help: 'Reload the subscription.',
  },
  renewal_link_not_found: {
    status: 404,
    detail: 'Link not found. Check that you copied the whole URL.',
    help: 'Open the link from the latest email.',
  },
  refunds_disabled: {
    status: 409,
    shape: 'object',
    detail: 'Refunds are not available at the moment. Try again later.',
    help: 'Hide refunds while they are switched off.',
  },
  not_settled: {
    status: 409,
    shape: 'object',
    detail: 'The order was not paid. There is nothing to refund.',
    help: 'Read the state of the order.',
  },
  window_closed: {
    status: 409,
    shape: 'object',
    detail: 'The refund deadline of this order has passed. The refund quote shows the deadlines.',
    help: 'Read deadline and withdrawal_deadline in the quote first.',
  },
  nothing_left: {
    status: 409,
    shape: 'object',
    detail: 'All credits of this order are spent or have expired. There is nothing to refund.',
    help: 'Read the quote before offering a refund.',
  },
  already_open: {
    status: 409,
    shape: 'object',
    detail: 'A refund of this order is in progress. Wait for its outcome.',
    help: 'Read open_refund_id in the quote.',
  },
  fully_refunded: {
    status: 409,
    shape: 'object',
    detail: 'The order was refunded in full. There is nothing left to refund.',
    help: 'Read the state of the order.',
  },
  withdrawal_not_found: {
    status: 404,
    detail: 'Withdrawal not found. Check its id, or declare the withdrawal again.',
    help: 'Declare the withdrawal again.',
  },
  already_confirmed: {
    status: 409,
    shape: 'object',
    detail: 'The withdrawal was already confirmed, and its refund failed. Declare the withdrawal again.',
    help: 'Declare the withdrawal again.',
  },
} as const satisfies Record<string, ErrorEntry>
