import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { anyNumber, numericId } from '../platform/http/schemas/whole-number.ts'
import { BADGES } from './rules/prices.ts'

const cents = z.int().min(1)
const credits = z.int().min(1)
const discount_pct = z.int().min(0).max(99)
const currency = z.string().describe('Currency of orders, ledger and receipts; prices are before tax')

const shownPrice = {
  charge_cents: cents.describe('Amount to pay; for a plan, the price of one month'),
  reference_cents: cents
    .nullable()
    .describe('Lowest price of the last 30 days; null if no reduction may be shown'),
  badge: z.enum(BADGES).optional(),
  is_popular: z.boolean().describe('Based on paid orders of a recent period'),
  currency,
  promo_ends_at: Timestamp.nullable().describe('When the discount ends; null without a discount'),
}

export const PublicPack = z
  .object({
    id: z.int(),
    name: z.string(),
    credits,
    price_cents: cents.describe('List price'),
    ...shownPrice,
    bundle_charge_cents: cents.describe('Price when bought with a plan'),
  })
  .openapi('PublicPack')

export const Pack = PublicPack.extend({
  purchasable: z.boolean().describe('True if this account may buy the pack without a plan now'),
}).openapi('Pack')

export const TermEntry = z
  .object({
    months: z.int().min(1),
    credits_per_month: credits,
    credits_total: credits,
    monthly_price_cents: cents.describe('Monthly rate before discounts'),
    undiscounted_cents: cents.describe('Monthly rate times the months'),
    charge_cents: cents.describe('Exact amount charged for the term'),
    discount_pct,
    currency,
  })
  .openapi('TermEntry')

export const PlanOffer = z
  .object({
    id: z.int(),
    slug: z.string(),
    name: z.string(),
    price_cents: cents.describe('Per month, before discounts'),
    period_credits: credits.describe('Per month'),
    period_days: z.int().min(1),
    priority: z.int().describe('Lower numbers are served first'),
    is_locked_price: z.boolean().describe('True if the account keeps a price below the list price'),
    list_price_cents: cents,
    ...shownPrice,
    terms: z.array(TermEntry).min(1),
  })
  .openapi('PlanOffer')

export const Pricing = z
  .object({ packages: z.array(PublicPack), plans: z.array(PlanOffer), tax_included: z.boolean() })
  .openapi('Pricing')

export const ProviderEntry = z
  .object({ name: z.string(), label: z.string(), kind: z.enum(['card', 'crypto']), is_default: z.boolean() })
  .openapi('PaymentProvider')

export const BundleQuery = z.object({
  plan_id: numericId,
  package_id: numericId,
  // Accepts any number here. A term that the plan is not sold for results in a 400 (Contract: Purchase rule 2).
  months: anyNumber.default(1).openapi({ type: 'integer', minimum: 1, default: 1 }),
})

export const Bundle = z
  .object({
    plan_id: z.int(),
    package_id: z.int(),
    months: z.int(),
    term: TermEntry,
    pack_credits: credits,
    pack_list_cents: cents,
    pack_charge_cents: cents,
    pack_discount_pct: discount_pct,
    total_cents: cents.describe('The only total to show to a customer'),
    currency,
  })
  .openapi('BundleQuote')
