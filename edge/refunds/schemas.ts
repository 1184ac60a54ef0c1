import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { REFUND_BLOCKS, REFUND_REASONS, REFUND_STATES } from './rules/refunds.ts'

export const OrderPath = z.object({ order_id: z.string().min(1).max(64) })
export const RefundPath = z.object({ refund_id: z.string().min(1).max(64) })
export const WithdrawalPath = z.object({ withdrawal_id: z.string().min(1).max(64) })

const note = z.string().trim().max(1000)

export const RefundRequest = z.object({ note: note.nullish() }).openapi('RefundRequest')

export const RefundQuote = z
  .object({
    order_id: z.string(),
    currency: z.string(),
    amount_cents: z.int().describe('What would come back now; 0 while it is blocked'),
    paid_cents: z.int(),
    already_refunded_cents: z.int(),
    credits_sold: z.int(),
    credits_returnable: z.int().describe('Neither spent nor lapsed, those of months to come among them'),
    credits_spent: z.int(),
    reason: z.enum(REFUND_REASONS).describe('withdrawal: the statutory right; policy: our own, broader one'),
    deadline: Timestamp.nullable().describe(
      'When the last window closes; null on an order that was not paid',
    ),
    withdrawal_deadline: Timestamp.nullable(),
    blocked: z.enum(['', ...REFUND_BLOCKS]).describe('Empty: nothing stands in the way'),
    eligible: z.boolean(),
    payout_manual: z.boolean().describe('The money is transferred by hand'),
    open_refund_id: z.string().nullable(),
  })
  .openapi('RefundQuote')

export const Refund = z
  .object({
    id: z.string(),
    order_id: z.string(),
    status: z.enum(REFUND_STATES),
    amount_cents: z.int(),
    currency: z.string(),
    credits_removed: z
      .int()
      .describe('Out of the balance now; 0 once a refund that failed has given them back'),
    reason: z.enum(REFUND_REASONS),
    note: z.string().nullable(),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .openapi('Refund')

export const RefundsQuery = z.object({
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  offset,
})

export const Withdrawal = z
  .object({
    id: z.string(),
    order_id: z.string(),
    statement: z.string().describe('What confirming declares'),
    stated_at: Timestamp,
    quote: RefundQuote,
  })
  .openapi('Withdrawal')

export const AdminRefund = Refund.extend({ account_id: z.int(), email: z.string() }).openapi('AdminRefund')
export const AdminRefundsQuery = RefundsQuery.extend({ status: z.enum(REFUND_STATES).optional() })
export const RefundDecision = z.object({ note: note.optional() }).openapi('RefundDecision')
