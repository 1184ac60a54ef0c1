import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { RENEWAL_STATES } from './rules/states.ts'

const renewal = {
  auto_renew: z.boolean(),
  renewal_status: z.enum(RENEWAL_STATES),
  cancel_at_period_end: z.boolean(),
  renews_at: Timestamp.nullable().describe('Next charge; null if nothing renews'),
  period_end: Timestamp.describe('When access ends'),
  months_total: z.int(),
  can_cancel: z.boolean().describe('True if there is a renewal to cancel'),
}

export const SubscriptionOut = z
  .object({
    plan_name: z.string(),
    period_start: Timestamp,
    credits_per_month: z.int(),
    credits_per_period: z.int().describe('Deprecated: same as credits_per_month'),
    months_granted: z.int(),
    next_grant_at: Timestamp.nullable().describe('null once all allowances are delivered'),
    can_extend: z.boolean(),
    ...renewal,
    renewal_amount_cents: z.int().nullable(),
    renewal_currency: z.string().nullable(),
    renewal_months: z.int().nullable(),
    grace_until: Timestamp.nullable(),
  })
  .openapi('SubscriptionOut')

/** A nullable form that documentation tools and generated clients understand. */
export const HeldSubscription = SubscriptionOut.nullable()

export const RenewalPath = z.object({ token: z.string().min(1).max(64) })

export const LinkedRenewal = z
  .object({
    plan_name: z.string(),
    renewal_status: z.enum(RENEWAL_STATES),
    renews_at: Timestamp.nullable(),
    renewal_amount_cents: z.int().nullable(),
    renewal_currency: z.string().nullable(),
    grace_until: Timestamp.nullable().describe('End of the grace period of a failed charge'),
    period_end: Timestamp.describe('When access ends without a renewal'),
    can_cancel: z.boolean(),
  })
  .openapi('LinkedRenewal')

export const CancelledRenewal = z.object(renewal).openapi('CancelledRenewal')
