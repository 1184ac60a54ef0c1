import { z } from '@hono/zod-openapi'
import { decideRefund, listAllRefunds } from '../administration/refunds.ts'
import { route } from '../http/route.ts'
import { listOwnRefunds, showRefundQuote } from './list.ts'
import { requestRefund } from './request.ts'
import {
  AdminRefund,
  AdminRefundsQuery,
  OrderPath,
  Refund,
  RefundDecision,
  RefundPath,
  RefundQuote,
  RefundRequest,
  RefundsQuery,
  Withdrawal,
  WithdrawalPath,
} from './schemas.ts'
import { confirmWithdrawal, stateWithdrawal } from './withdraw.ts'

const tag = 'Refunds'
const WITHDRAWAL_ERRORS = ['order_not_found', 'not_settled', 'window_closed'] as const
const REFUND_ERRORS = [
  'order_not_found',
  'nothing_left',
  'window_closed',
  'already_open',
  'fully_refunded',
  'not_settled',
  'refunds_disabled',
] as const

export const refundRoutes = [
  route({
    method: 'get',
    path: '/api/v1/billing/payments/{order_id}/refund-quote',
    name: 'refunds.quote',
    access: 'session',
    tag,
    summary: 'Quote the refund of an order',
    params: OrderPath,
    answer: { status: 200, description: 'The quote', schema: RefundQuote },
    errors: ['order_not_found'],
    handle: ({ deps, caller, path }) => showRefundQuote(deps, caller, path.order_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/payments/{order_id}/refund',
    name: 'refunds.request',
    access: 'session',
    tag,
    summary: 'Request a refund of the unspent part of an order',
    description:
      'Unspent credits leave the balance at once and return if the refund fails. Undelivered months of a plan are withdrawn: the plan ends with its current month.',
    params: OrderPath,
    body: RefundRequest,
    idempotent: true,
    answer: { status: 200, description: 'The request', schema: Refund },
    errors: REFUND_ERRORS,
    handle: ({ deps, caller, path, body, record }) =>
      requestRefund(deps, caller, { order_id: path.order_id, note: body.note }, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/refunds',
    name: 'refunds.list',
    access: 'session',
    tag,
    summary: 'List refund requests of the account, newest first',
    query: RefundsQuery,
    answer: { status: 200, description: 'The requests', schema: z.array(Refund) },
    handle: ({ deps, caller, query }) => listOwnRefunds(deps, caller, query),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/payments/{order_id}/withdrawal',
    name: 'withdrawals.preview',
    access: 'session',
    tag,
    summary: 'Withdraw from an order, step 1: preview the statement',
    description:
      'Nothing changes until the withdrawal is confirmed. Within the statutory period, every paid order can be withdrawn from, also if nothing is left to refund.',
    params: OrderPath,
    idempotent: true,
    answer: { status: 201, description: 'The statement to confirm', schema: Withdrawal },
    errors: WITHDRAWAL_ERRORS,
    handle: ({ deps, caller, path, record }) => stateWithdrawal(deps, caller, path.order_id, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/withdrawals/{withdrawal_id}/confirm',
    name: 'withdrawals.confirm',
    access: 'session',
    tag,
    summary: 'Withdraw from an order, step 2: confirm the statement',
    description:
      'An email acknowledges the statement with its content, date and time. If nothing is left to refund, the refund has the amount 0 and is complete.',
    params: WithdrawalPath,
    idempotent: true,
    answer: { status: 200, description: 'The resulting refund', schema: Refund },
    errors: [...WITHDRAWAL_ERRORS, 'withdrawal_not_found', 'already_confirmed'],
    handle: ({ deps, caller, path, record }) => confirmWithdrawal(deps, caller, path.withdrawal_id, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/refunds',
    name: 'admin.listRefunds',
    access: 'admin',
    tag: 'Administration',
    summary: 'List all refund requests, newest first',
    query: AdminRefundsQuery,
    answer: { status: 200, description: 'The requests', schema: z.array(AdminRefund) },
    handle: ({ deps, query }) => listAllRefunds(deps, query),
  }),
  ...(['approve', 'reject'] as const).map((decision) =>
    route({
      method: 'post',
      path: `/api/v1/admin/refunds/{refund_id}/${decision}` as const,
      name: `admin.${decision}Refund`,
      access: 'admin',
      tag: 'Administration',
      summary:
        decision === 'approve'
          ? 'Confirm that a manual payout was sent'
          : 'Reject a manual payout; credits and months return',
      params: RefundPath,
      body: RefundDecision,
      answer: { status: 200, description: 'The updated request', schema: Refund },
      errors: ['refund_not_found', 'refund_not_awaiting_payout'],
      handle: ({ deps, caller, path, body }) =>
        decideRefund(deps, caller, path.refund_id, decision, body.note ?? null),
    }),
  ),
]
