import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { REFUND_BLOCKS, REFUND_REASONS, REFUND_STATES } from './rules/refunds.ts'

export const OrderPath = z.object({ order_id: z.string().min(1).max(64) })
export const RefundPath = z.object({ refund_id: z.string().min(1).max(64) })
export const WithdrawalPath = z.object({ withdrawal_id: z.string().min(1).max(64) })

const note = z.string().trim().max(1000)

export const RefundRequest = z.strictObject({ note: note.nullish() }).openapi('RefundRequest')

export const RefundQuote = z
  .object({
    order_id: z.string(),
    currency: z.string(),
    amount_cents: z.int().describe('Amount to refund now; 0 while blocked'),
    paid_cents: z.int(),
    already_refunded_cents: z.int(),
    credits_sold: z.int(),
    credits_returnable: z
      .int()
      .describe('Credits neither spent nor expired, including those of future months'),
    credits_spent: z.int(),
    reason: z
      .enum(REFUND_REASONS)
      .describe('withdrawal: the statutory right; policy: our own extended window'),
    deadline: Timestamp.nullable().describe('When the last refund window closes; null for an unpaid order'),
    withdrawal_deadline: Timestamp.nullable(),
    blocked: z.enum(['', ...REFUND_BLOCKS]).describe('Empty if the refund is possible'),
    eligible: z.boolean(),
    payout_manual: z.boolean().describe('True if an administrator transfers the money manually'),
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
      .describe('Credits removed from the balance; 0 if the refund failed and they were returned'),
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
    statement: z.string().describe('Statement that the confirmation declares'),
    stated_at: Timestamp,
    quote: RefundQuote,
  })
  .openapi('Withdrawal')

export const AdminRefund = Refund.extend({ account_id: z.int(), email: z.string() }).openapi('AdminRefund')
export const AdminRefundsQuery = RefundsQuery.extend({ status: z.enum(REFUND_STATES).optional() })
export const RefundDecision = z.strictObject({ note: note.optional() }).openapi('RefundDecision')
