import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { currencyCode, emailAddress, idOf, numberOf } from '../platform/http/schemas/common-fields.ts'
import { limitOf, offset } from '../platform/http/schemas/page.ts'
import { REFUND_BLOCKS, REFUND_REASONS, REFUND_STATES } from './rules/refunds.ts'

export const OrderPath = z.object({ order_id: z.string().min(1).max(64).describe('Id of the order') })
export const RefundPath = z.object({ refund_id: z.string().min(1).max(64).describe('Id of the refund') })
export const WithdrawalPath = z.object({
  withdrawal_id: z.string().min(1).max(64).describe('Id of the withdrawal'),
})

const note = z
  .string()
  .trim()
  .max(1000)
  .openapi({ description: 'Reason, in your own words', example: 'Bought by mistake' })
const cents = (description: string) => z.int().openapi({ description, example: 1900 })
const credits = (description: string, example: number) => z.int().openapi({ description, example })

export const RefundRequest = z.strictObject({ note: note.nullish() }).openapi('RefundRequest')

export const RefundQuote = z
  .object({
    order_id: idOf('order'),
    currency: currencyCode,
    amount_cents: cents('Amount to refund now; 0 while blocked'),
    paid_cents: cents('Amount that was paid'),
    already_refunded_cents: z.int().openapi({ description: 'Amount that was refunded already', example: 0 }),
    credits_sold: credits('Credits that the order bought', 2000),
    credits_returnable: credits('Credits neither spent nor expired, including those of future months', 2000),
    credits_spent: credits('Credits of the order that were spent', 0),
    reason: z
      .enum(REFUND_REASONS)
      .describe('withdrawal: the statutory right; policy: our own extended window'),
    deadline: Timestamp.nullable().describe('When the last refund window closes; null for an unpaid order'),
    withdrawal_deadline: Timestamp.nullable().describe(
      'When the statutory right of withdrawal ends; null for an unpaid order',
    ),
    blocked: z.enum(['', ...REFUND_BLOCKS]).describe('Empty if the refund is possible'),
    eligible: z.boolean().openapi({
      description:
        'True if the refund is possible. While the own policy is closed, only a withdrawal is, while `reason` is `withdrawal`',
      example: true,
    }),
    payout_manual: z
      .boolean()
      .openapi({ description: 'True if an administrator transfers the money manually', example: false }),
    open_refund_id: idOf('refund').nullable().describe('Refund that is open already; null if there is none'),
  })
  .openapi('RefundQuote')

export const Refund = z
  .object({
    id: idOf('refund'),
    order_id: idOf('order'),
    status: z.enum(REFUND_STATES).describe('State of the refund'),
    amount_cents: cents('Amount of the refund; 0 for a withdrawal if nothing is left to refund'),
    currency: currencyCode,
    credits_removed: z
      .int()
      .openapi({ example: 2000 })
      .describe('Credits removed from the balance; 0 if the refund failed and they were returned'),
    reason: z.enum(REFUND_REASONS).describe('Right on which the refund is based'),
    note: note.nullable().describe('Reason that was given; null if none was'),
    created_at: Timestamp.describe('Time of the request'),
    finished_at: Timestamp.nullable().describe('Time at which it ended; null while it is open'),
    credit_note_number: z
      .string()
      .nullable()
      .openapi({ description: 'Number of the credit note; null until it is issued', example: 'C-000007' }),
    credit_note_url: z.url().nullable().openapi({
      description: 'Page of the credit note; with `?format=pdf`, its PDF. null until it is issued',
      example: 'https://media.example.com/api/v1/billing/receipts/0b1c40c6-8a3b-4c0e-93c6-5f2d9e6b7d1f',
    }),
  })
  .openapi('Refund')

export const RefundsQuery = z.object({
  limit: limitOf(100, 500),
  offset,
})

export const Withdrawal = z
  .object({
    id: idOf('withdrawal'),
    order_id: idOf('order'),
    statement: z.string().openapi({
      description: 'Statement that the confirmation declares',
      example: 'I withdraw from the contract about order 7d1f4a52.',
    }),
    stated_at: Timestamp.describe('Time of the statement'),
    quote: RefundQuote.describe('What the withdrawal pays back'),
  })
  .openapi('Withdrawal')

export const AdminRefund = Refund.extend({ account_id: numberOf('account'), email: emailAddress }).openapi(
  'AdminRefund',
)
export const AdminRefundsQuery = RefundsQuery.extend({
  status: z.enum(REFUND_STATES).optional().describe('Only refunds in this state'),
})
export const RefundDecision = z
  .strictObject({
    note: note.optional().openapi({ description: 'Reason, for the audit log', example: 'Agreed by email' }),
  })
  .openapi('RefundDecision')
