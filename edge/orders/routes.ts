import { z } from '@hono/zod-openapi'
import { resolvePayment, showPayments } from '../administration/payments.ts'
import { topUp } from '../administration/top-up.ts'
import { BalanceParts } from '../credits/schemas.ts'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { PAGED } from '../platform/http/schemas/page.ts'
import { showOrders } from './list.ts'
import { checkout, subscribe } from './purchase.ts'
import {
  AdminPaymentsQuery,
  CheckoutOut,
  CheckoutRequest,
  ManualTopUpRequest,
  OrderPath,
  OrderRow,
  PaymentRecord,
  PaymentsQuery,
  ResolvePaymentRequest,
  SubscribeRequest,
} from './schemas.ts'

const tag = 'Billing'
const administration = 'Billing administration'
const PURCHASE_ERRORS = [
  'consent_required',
  'payment_provider_closed',
  'payments_not_enabled',
  'package_not_found',
  'too_many_unpaid_orders',
  'payment_provider_unavailable',
] as const
const opened = { status: 200, description: 'The order, and the URL to pay it', schema: CheckoutOut }

export const orderRoutes = [
  route({
    method: 'post',
    path: '/api/v1/billing/checkout',
    name: 'orders.buyPackage',
    access: 'session',
    tag,
    summary: 'Order a pack of credits',
    description: 'Credits are granted when the order is paid at redirect_url.',
    body: CheckoutRequest,
    idempotent: true,
    answer: opened,
    errors: [...PURCHASE_ERRORS, 'subscription_required'],
    handle: ({ deps, caller, body, record }) => checkout(deps, caller, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/subscribe',
    name: 'orders.subscribe',
    access: 'session',
    tag,
    summary: 'Order months of a plan, with or without a pack',
    description: 'Starts a term, or extends the running one, when the order is paid at redirect_url.',
    body: SubscribeRequest,
    idempotent: true,
    answer: opened,
    errors: [
      ...PURCHASE_ERRORS,
      'plan_not_found',
      'months_not_offered',
      'another_plan_running',
      'recurring_unavailable',
    ],
    handle: ({ deps, caller, body, record }) => subscribe(deps, caller, body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/payments',
    name: 'orders.list',
    access: 'session',
    tag,
    summary: 'List orders, newest first, including those never paid',
    description: PAGED,
    query: PaymentsQuery,
    answer: { status: 200, description: 'Orders', schema: z.array(OrderRow) },
    handle: async ({ deps, caller, query, url }) => answerPage(await showOrders(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/admin/payments',
    name: 'admin.listPayments',
    access: 'admin',
    tag: administration,
    summary: 'List payments of all accounts, newest first',
    description: PAGED,
    query: AdminPaymentsQuery,
    answer: { status: 200, description: 'Payments', schema: z.array(PaymentRecord) },
    handle: async ({ deps, query, url }) => answerPage(await showPayments(deps, query), url),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/admin/payments/{order_id}/resolve',
    name: 'admin.resolvePayment',
    access: 'admin',
    tag: administration,
    summary: 'Resolve an underpayment or a surplus',
    params: OrderPath,
    body: ResolvePaymentRequest,
    idempotent: true,
    answer: { status: 200, description: 'The payment', schema: PaymentRecord },
    errors: [
      'order_not_found',
      'order_not_partially_paid',
      'order_has_no_surplus',
      'payment_below_one_credit',
      'account_deleted',
    ],
    handle: ({ deps, caller, path, body, record }) =>
      resolvePayment(deps, caller, path.order_id, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/admin/topup',
    name: 'admin.adjustCredits',
    access: 'admin',
    tag: administration,
    summary: 'Add credits that never expire to an account, or remove credits',
    body: ManualTopUpRequest,
    idempotent: true,
    answer: { status: 200, description: "The account's balance", schema: BalanceParts },
    errors: ['account_not_found', 'account_deleted', 'removal_exceeds_balance'],
    handle: ({ deps, caller, body, record }) => topUp(deps, caller, body, record),
  }),
]
