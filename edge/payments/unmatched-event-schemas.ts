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
    event_id: z.string().describe("The provider's own name for the event"),
    kind: z
      .enum(UNMATCHED_KINDS)
      .describe('A payment of an order, a charge of a mandate, or the mandate itself'),
    about: z.string().describe('The order or mandate, as the provider names it'),
    reference: z.string().nullable().describe("The provider's own name for the payment; null without one"),
    state: z.string().describe('What the event reports, such as paid, failed or cancelled'),
    amount_cents: z.int().describe('The money that came with it; 0 where none did'),
    currency: z.string().nullable(),
    occurred_at: Timestamp,
    received_at: Timestamp,
    settled_at: Timestamp.nullable(),
    outcome: z
      .enum(EVENT_OUTCOMES)
      .nullable()
      .describe(
        'applied: by itself, when the payment of its mandate came; superseded: another event reports all money of the same payment; null: open',
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
  .object({
    action: z
      .enum(['grant', 'dismiss'])
      .describe(
        'grant: adds credits to an account; dismiss: nothing, as when the provider paid the money back',
      ),
    account_id: z.int().min(1).optional().describe('Required by grant'),
    credits: z.int().min(1).max(CREDITS_MAX).optional().describe('Required by grant'),
    note: z.string().trim().min(1).max(1000).describe('The reason'),
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
