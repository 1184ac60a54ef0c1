import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { CREDITS_MAX } from '../orders/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { numericId, wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { EVENT_OUTCOMES, UNMATCHED_KINDS } from './rules/unmatched-events.ts'

export const UnmatchedEvent = z
  .object({
    id: z.int(),
    provider: z.string(),
    event_id: z.string().describe("The provider's id of the event"),
    kind: z
      .enum(UNMATCHED_KINDS)
      .describe('A payment of an order, a charge of a mandate, or the mandate itself'),
    about: z.string().describe("The provider's id of the order or mandate"),
    reference: z
      .string()
      .nullable()
      .describe("The provider's reference for the payment; null without a payment"),
    state: z.string().describe('Reported state, such as paid, failed or cancelled'),
    amount_cents: z.int().describe('Reported amount; 0 without a payment'),
    currency: z.string().nullable(),
    occurred_at: Timestamp,
    received_at: Timestamp,
    settled_at: Timestamp.nullable(),
    outcome: z
      .enum(EVENT_OUTCOMES)
      .nullable()
      .describe(
        '`applied`: applied automatically when the payment of its mandate arrived; `superseded`: another event reports the full payment; null: open',
      ),
    note: z.string().nullable(),
  })
  .openapi('UnmatchedEvent')

export const UnmatchedEventsQuery = z.object({
  status: z.enum(['open', 'settled']).default('open'),
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  offset,
})

export const UnmatchedEventPath = z.object({ event_id: numericId })

export const SettleEventRequest = z
  .strictObject({
    action: z
      .enum(['grant', 'dismiss'])
      .describe(
        'grant: adds credits to an account; dismiss: changes nothing, for example when the provider refunded the payment',
      ),
    account_id: z.int().min(1).optional().describe('Required for grant'),
    credits: z.int().min(1).max(CREDITS_MAX).optional().describe('Required for grant'),
    note: z.string().trim().min(1).max(1000).describe('Reason'),
  })
  .refine(
    ({ action, account_id, credits }) =>
      action === 'grant'
        ? account_id !== undefined && credits !== undefined
        : account_id === undefined && credits === undefined,
    {
      ...schemaFault('settlement_fields'),
      path: ['action'],
    },
  )
  .openapi('SettleEventRequest')
