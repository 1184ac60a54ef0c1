import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { numberOf } from '../platform/http/schemas/common-fields.ts'
import { anyNumber, numericId } from '../platform/http/schemas/whole-number.ts'
import { BADGES } from './rules/prices.ts'

const cents = z.int().min(1).openapi({ example: 1900 })
const credits = z.int().min(1).openapi({ description: 'Number of credits', example: 2000 })
const discount_pct = z.int().min(0).max(99).openapi({ description: 'Discount in percent', example: 10 })
const currency = z.string().openapi({
  description: 'Currency of orders, ledger and receipts; prices are before tax',
  example: 'USD',
})

const shownPrice = {
  charge_cents: cents.describe('Amount to pay; for a plan, the price of one month'),
  reference_cents: cents
    .nullable()
    .describe('Lowest price of the last 30 days; null if no reduction may be shown'),
  badge: z.enum(BADGES).optional().describe('Short label to show with the offer; absent if there is none'),
  is_popular: z.boolean().openapi({ description: 'Based on paid orders of a recent period', example: true }),
  currency,
  promo_ends_at: Timestamp.nullable().describe('When the discount ends; null without a discount'),
}

export const PublicPack = z
  .object({
    id: numberOf('pack'),
    name: z.string().openapi({ description: 'Name of the pack', example: '2,000 credits' }),
    credits,
    price_cents: cents.describe('List price'),
    ...shownPrice,
    bundle_charge_cents: cents.describe('Price when bought with a plan'),
  })
  .openapi('PublicPack')

export const Pack = PublicPack.extend({
  purchasable: z
    .boolean()
    .openapi({ description: 'True if this account may buy the pack without a plan now', example: true }),
}).openapi('Pack')

export const TermEntry = z
  .object({
    months: z.int().min(1).openapi({ description: 'Length of the term in months', example: 3 }),
    credits_per_month: credits.describe('Credits of each month'),
    credits_total: credits.describe('Credits of all months').openapi({ example: 6000 }),
    monthly_price_cents: cents.describe('Monthly rate before discounts'),
    undiscounted_cents: cents.describe('Monthly rate times the months').openapi({ example: 5700 }),
    charge_cents: cents.describe('Exact amount charged for the term').openapi({ example: 5130 }),
    discount_pct,
    currency,
  })
  .openapi('TermEntry')

export const PlanOffer = z
  .object({
    id: numberOf('plan'),
    slug: z.string().openapi({ description: 'Short name of the plan, as in URLs', example: 'pro' }),
    name: z.string().openapi({ description: 'Name of the plan', example: 'Pro' }),
    price_cents: cents.describe('Per month, before discounts'),
    period_credits: credits.describe('Per month'),
    period_days: z
      .int()
      .min(1)
      .openapi({ description: 'Length of one month of the term, in days', example: 30 }),
    priority: z.int().openapi({ description: 'Lower numbers are served first', example: 3 }),
    is_locked_price: z
      .boolean()
      .openapi({ description: 'True if the account keeps a price below the list price', example: false }),
    list_price_cents: cents.describe('Current price of one month for new customers'),
    ...shownPrice,
    terms: z.array(TermEntry).min(1).describe('Terms for which the plan is sold'),
  })
  .openapi('PlanOffer')

export const Pricing = z
  .object({
    packages: z.array(PublicPack).describe('Packs on sale'),
    plans: z.array(PlanOffer).describe('Plans on sale'),
    tax_included: z.boolean().openapi({ description: 'False: tax is added at checkout', example: false }),
  })
  .openapi('Pricing')

export const ProviderEntry = z
  .object({
    name: z.string().openapi({ description: 'Name to send as `provider`', example: 'paddle' }),
    label: z.string().openapi({ description: 'Name to show', example: 'Card' }),
    kind: z.enum(['card', 'crypto']).describe('Kind of payment'),
    is_default: z
      .boolean()
      .openapi({ description: 'True for the provider that is used if none is named', example: true }),
  })
  .openapi('PaymentProvider')

export const BundleQuery = z.object({
  plan_id: numericId.describe('Id of the plan'),
  package_id: numericId.describe('Id of the pack'),
  // Accepts any number here. A term that the plan is not sold for results in a 400 (Contract: Purchase rule 2).
  months: anyNumber.default(1).openapi({
    description: 'A term length for which the plan is sold',
    type: 'integer',
    minimum: 1,
    default: 1,
  }),
})

export const Bundle = z
  .object({
    plan_id: numberOf('plan'),
    package_id: numberOf('pack'),
    months: z.int().openapi({ description: 'Length of the term in months', example: 3 }),
    term: TermEntry.describe('The price of the plan for this term'),
    pack_credits: credits.describe('Credits of the pack'),
    pack_list_cents: cents.describe('List price of the pack'),
    pack_charge_cents: cents.describe('Price of the pack in the bundle').openapi({ example: 1710 }),
    pack_discount_pct: discount_pct.describe('Discount on the pack in percent'),
    total_cents: cents.describe('The only total to show to a customer').openapi({ example: 6840 }),
    currency,
  })
  .openapi('BundleQuote')
