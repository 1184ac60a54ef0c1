import { z } from '@hono/zod-openapi'
import { packTexts } from '../../shared/text/texts.ts'
import { Timestamp } from '../accounts/schemas.ts'
import { BADGES } from '../offers/rules/prices.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { numberOf } from '../platform/http/schemas/common-fields.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const PRICE_CENTS_MAX = 100_000_000
const CREDITS_MAX = 100_000_000

const name = plainText(100).openapi({ description: 'Name of the plan or pack', example: 'Pro' })
const price_cents = z
  .int()
  .min(1)
  .max(PRICE_CENTS_MAX)
  .openapi({ description: 'Before tax; for a plan, the price of one month', example: 1900 })
const credits = z.int().min(1).max(CREDITS_MAX).openapi({ description: 'Number of credits', example: 2000 })
const badge = z.enum(BADGES).nullable().describe('Short label shown with the offer; null for none')
const currency = z.literal('USD').describe('Currency of the price')
const retired = z
  .literal(true)
  .optional()
  .describe('Removes the item from sale permanently; existing purchases stay')
const retired_at = Timestamp.nullable().describe(
  'Time at which the item was removed from sale; null while it is on sale',
)

const packFields = { name, credits, price_cents }

export const PackageCreate = z
  .strictObject({ ...packFields, badge: badge.default(null) })
  .openapi('PackageCreate', { example: { name: '2,000 credits', credits: 2000, price_cents: 1900 } })

export const PackageChange = z
  .strictObject({ name, credits, price_cents, badge })
  .partial()
  .extend({ retired })
  .openapi('PackageChange', { example: { price_cents: 2100 } })

export const AdministeredPackage = z
  .object({ id: numberOf('pack'), ...packFields, currency, badge, retired_at })
  .openapi('AdministeredPackage')

const Term = z.strictObject({
  months: z.int().min(1).max(36).openapi({ description: 'Length of the term in months', example: 3 }),
  discount_pct: z.int().min(0).max(90).openapi({ description: 'Discount in percent', example: 10 }),
})

const terms = z
  .array(Term)
  .max(36)
  .refine(
    (list) => new Set(list.map(({ months }) => months)).size === list.length,
    schemaFault('duplicate_term'),
  )
  .refine(
    (list) => list.every(({ months, discount_pct }) => months > 1 || discount_pct === 0),
    schemaFault('discounted_month'),
  )
  .describe('One month is always sold, even if not listed here')

const requests = z.int().min(1).max(1_000_000_000)

const planFields = {
  name,
  price_cents,
  period_credits: credits.describe('Per month'),
  period_days: z
    .int()
    .min(1)
    .max(366)
    .openapi({ description: 'Length of one month of the term, in days', example: 30 }),
  priority: z.int().min(1).max(100).openapi({ description: 'Lower numbers are served first', example: 3 }),
  requests_per_minute: requests.openapi({
    description: 'Largest number of requests per minute of an account',
    example: 300,
  }),
  requests_per_day: requests.openapi({
    description: 'Largest number of requests per day of an account',
    example: 250_000,
  }),
  in_flight_max: z
    .int()
    .min(1)
    .max(10_000)
    .openapi({ description: 'Largest number of jobs of an account that are open at once', example: 20 }),
  throttled: z.boolean().openapi({
    description: 'True if jobs of the plan are held before they enter the queue',
    example: false,
  }),
}
const slug = z
  .string()
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    packTexts({
      en: 'Use a-z, 0-9 and single hyphens, such as pro-2.',
      uk: 'Використовуйте a–z, 0–9 та одиночні дефіси, наприклад pro-2.',
      ru: 'Используйте a–z, 0–9 и одиночные дефисы, например pro-2.',
    }),
  )
  .max(64)
  .openapi({ description: 'Short name of the plan, as in URLs', example: 'pro' })

export const PlanCreate = z
  .strictObject({
    slug,
    ...planFields,
    period_days: planFields.period_days.default(30),
    priority: planFields.priority.default(3),
    requests_per_minute: planFields.requests_per_minute.default(300),
    requests_per_day: planFields.requests_per_day.default(250_000),
    in_flight_max: planFields.in_flight_max.default(20),
    throttled: planFields.throttled.default(false),
    badge: badge.default(null),
    terms: terms.default([]),
  })
  .openapi('PlanCreate')

export const PlanChange = z
  .strictObject({ ...planFields, badge, terms })
  .partial()
  .extend({ retired })
  .openapi('PlanChange', { example: { requests_per_minute: 600, in_flight_max: 40 } })

export const AdministeredPlan = z
  .object({
    id: numberOf('plan'),
    slug,
    ...planFields,
    currency,
    badge,
    terms: z.array(Term).describe('Terms for which the plan is sold, beside one month'),
    retired_at,
  })
  .openapi('AdministeredPlan')

const item_kind = z.enum(['plan', 'package']).describe('Kind of the discounted item')
const id = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .openapi({ description: 'Id of the discounted plan or pack', example: 2 })
const discount_pct = z.int().min(1).max(90).openapi({ description: 'Discount in percent', example: 20 })
const TimestampInput = z.iso
  .datetime({ offset: true })
  .openapi({ example: '2026-11-20T09:30:00.000Z' })
  .transform((text) => Date.parse(text))

export const PromotionCreate = z
  .strictObject({
    item_kind,
    item_id: id,
    discount_pct,
    starts_at: TimestampInput.optional().describe('Start of the promotion. Default: now'),
    ends_at: TimestampInput.openapi({
      description: 'End of the promotion',
      example: '2026-12-01T00:00:00.000Z',
    }),
  })
  .openapi('PromotionCreate')

export const PromotionChange = z
  .strictObject({
    discount_pct,
    starts_at: TimestampInput.describe('Start of the promotion'),
    ends_at: TimestampInput.openapi({
      description: 'End of the promotion',
      example: '2026-12-01T00:00:00.000Z',
    }),
  })
  .partial()
  .openapi('PromotionChange')

export const AdministeredPromotion = z
  .object({
    id: numberOf('promotion'),
    item_kind,
    item_id: id,
    discount_pct,
    starts_at: Timestamp.describe('Start of the promotion'),
    ends_at: Timestamp.openapi({
      description: 'End of the promotion; equals starts_at if it was withdrawn before it started',
      example: '2026-12-01T00:00:00.000Z',
    }),
    created_at: Timestamp.describe('Time at which the promotion was created'),
  })
  .openapi('AdministeredPromotion')

export const PackagePath = z.object({ package_id: numericId.describe('Id of the pack') })
export const PlanPath = z.object({ plan_id: numericId.describe('Id of the plan') })
export const PromotionPath = z.object({ promotion_id: numericId.describe('Id of the promotion') })
