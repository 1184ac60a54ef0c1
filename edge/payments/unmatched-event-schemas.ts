import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { CREDITS_MAX } from '../orders/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { currencyCode, noteOf, numberOf } from '../platform/http/schemas/common-fields.ts'
import { limitOf, offset } from '../platform/http/schemas/page.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'
import { PAYBACK_STATES } from './rules/payback.ts'
import { EVENT_OUTCOMES, EVENT_REASONS, UNMATCHED_KINDS } from './rules/unmatched-events.ts'

export const UnmatchedEvent = z
  .object({
    id: numberOf('event'),
    provider: z.string().openapi({ description: 'Name of the payment provider', example: 'paddle' }),
    event_id: z.string().openapi({ description: "The provider's id of the event", example: 'evt_01hv8x' }),
    kind: z
      .enum(UNMATCHED_KINDS)
      .describe('A payment of an order, a charge of a mandate, or the mandate itself'),
    about: z
      .string()
      .openapi({ description: "The provider's id of the order or mandate", example: 'sub_01hv8x' }),
    reference: z.string().nullable().openapi({
      description: "The provider's reference for the payment; null without a payment",
      example: 'txn_01hv8x',
    }),
    state: z
      .string()
      .openapi({ description: 'Reported state, such as paid, failed or cancelled', example: 'paid' }),
    amount_cents: z.int().openapi({ description: 'Reported amount; 0 without a payment', example: 1900 }),
    currency: currencyCode.nullable().describe('Currency of the amount; null without a payment'),
    occurred_at: Timestamp.describe('Time of the event at the provider'),
    received_at: Timestamp.describe('Time at which the event arrived'),
    settled_at: Timestamp.nullable().describe('Time at which it was settled; null while it is open'),
    outcome: z
      .enum(EVENT_OUTCOMES)
      .nullable()
      .describe(
        '`applied`: applied automatically when the payment of its mandate arrived; `superseded`: another event reports the full payment; `paid_back`: the provider paid the money back; `closed`: the checkout was closed; null: open',
      ),
    note: noteOf('the administrator who settled it'),
    reason: z
      .enum(EVENT_REASONS)
      .describe(
        '`unknown`: no such order or mandate; `other_payment`: not the payment of its order; `other_currency`: not the currency of its order; `account_deleted`: the account was deleted before the money arrived; `checkout_open`: the checkout of a deleted account could not be closed, so a payment may still arrive',
      ),
    payback: z
      .enum(PAYBACK_STATES)
      .nullable()
      .describe(
        'State of the automatic payback; `waiting`: its provider is not configured; null if the provider cannot pay back, or none is due',
      ),
  })
  .openapi('UnmatchedEvent')

export const UnmatchedEventsQuery = z.object({
  status: z.enum(['open', 'settled']).default('open').describe('Only events in this state'),
  limit: limitOf(100, 500),
  offset,
})

export const UnmatchedEventPath = z.object({ event_id: numericId.describe('Id of the event') })

export const SettleEventRequest = z
  .strictObject({
    action: z
      .enum(['grant', 'dismiss'])
      .describe(
        'grant: adds credits to an account; dismiss: changes nothing, for example when the provider refunded the payment',
      ),
    account_id: z
      .int()
      .min(1)
      .optional()
      .openapi({ description: 'Id of the account. Required for grant', example: 17 }),
    credits: z
      .int()
      .min(1)
      .max(CREDITS_MAX)
      .optional()
      .openapi({ description: 'Credits to add. Required for grant', example: 2000 }),
    note: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .openapi({ description: 'Reason', example: 'Paid twice at the provider' }),
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
