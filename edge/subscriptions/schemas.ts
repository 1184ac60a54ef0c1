import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { RENEWAL_STATES } from './rules/states.ts'

const renewalStatus = z
  .enum(RENEWAL_STATES)
  .openapi({ description: 'State of the automatic renewal', example: 'active' })
const planName = z.string().openapi({ description: 'Name of the plan', example: 'Pro' })
const renewalAmount = z
  .int()
  .nullable()
  .openapi({ description: 'Amount of the next charge; null if nothing renews', example: 1900 })
const renewalCurrency = z
  .string()
  .nullable()
  .openapi({ description: 'Currency of the next charge; null if nothing renews', example: 'USD' })
const canCancel = z.boolean().openapi({ description: 'True if there is a renewal to cancel', example: true })

const renewal = {
  auto_renew: z.boolean().openapi({ description: 'True if the plan renews automatically', example: true }),
  renewal_status: renewalStatus,
  cancel_at_period_end: z
    .boolean()
    .openapi({ description: 'True if the renewal was canceled', example: false }),
  renews_at: Timestamp.nullable().describe('Next charge; null if nothing renews'),
  period_end: Timestamp.describe('When access ends'),
  months_total: z.int().openapi({ description: 'Length of the term in months', example: 3 }),
  can_cancel: canCancel,
}

export const SubscriptionOut = z
  .object({
    plan_name: planName,
    period_start: Timestamp.describe('When the term started'),
    credits_per_month: z.int().openapi({ description: 'Credits of each month', example: 2000 }),
    credits_per_period: z
      .int()
      .openapi({ description: 'Deprecated: same as credits_per_month', example: 2000, deprecated: true }),
    months_granted: z
      .int()
      .openapi({ description: 'Number of monthly allowances that were delivered', example: 1 }),
    next_grant_at: Timestamp.nullable().describe(
      'When the next monthly allowance lands; null once all are delivered',
    ),
    can_extend: z.boolean().openapi({ description: 'True if the term can be extended', example: true }),
    ...renewal,
    renewal_amount_cents: renewalAmount,
    renewal_currency: renewalCurrency,
    renewal_months: z
      .int()
      .nullable()
      .openapi({ description: 'Months that the next charge buys; null if nothing renews', example: 3 }),
    grace_until: Timestamp.nullable().describe(
      'End of the grace period of a failed charge; null if none failed',
    ),
  })
  .openapi('SubscriptionOut')

/** A nullable form that documentation tools and generated clients understand. */
export const HeldSubscription = SubscriptionOut.nullable()

export const RenewalPath = z.object({
  token: z.string().min(1).max(64).describe('Token of the link in the email about the renewal'),
})

export const LinkedRenewal = z
  .object({
    plan_name: planName,
    renewal_status: renewalStatus,
    renews_at: Timestamp.nullable().describe('Next charge; null if nothing renews'),
    renewal_amount_cents: renewalAmount,
    renewal_currency: renewalCurrency,
    grace_until: Timestamp.nullable().describe('End of the grace period of a failed charge'),
    period_end: Timestamp.describe('When access ends without a renewal'),
    can_cancel: canCancel,
  })
  .openapi('LinkedRenewal')

export const CancelledRenewal = z.object(renewal).openapi('CancelledRenewal')

export const PaymentMethodPage = z
  .object({
    redirect_url: z.url().openapi({
      description: 'Page to open in a browser at once, because its URL is temporary',
      example: 'https://customer-portal.paddle.com/subscriptions/sub_01hv8x/update-payment-method',
    }),
  })
  .openapi('PaymentMethodPage')
