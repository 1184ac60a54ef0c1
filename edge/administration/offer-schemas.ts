import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { BADGES } from '../offers/rules/prices.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const PRICE_CENTS_MAX = 100_000_000
const CREDITS_MAX = 100_000_000

const name = plainText(100)
const price_cents = z
  .int()
  .min(1)
  .max(PRICE_CENTS_MAX)
  .describe('Before tax; for a plan, the price of one month')
const credits = z.int().min(1).max(CREDITS_MAX)
const badge = z.enum(BADGES).nullable().describe('Short label shown with the offer; null for none')
const currency = z.literal('USD')
const retired = z
  .literal(true)
  .optional()
  .describe('Removes the item from sale permanently; existing purchases stay')
const retired_at = Timestamp.nullable()

const packFields = { name, credits, price_cents }

export const PackageCreate = z
  .strictObject({ ...packFields, badge: badge.default(null) })
  .openapi('PackageCreate')

export const PackageChange = z
  .strictObject({ name, credits, price_cents, badge })
  .partial()
  .extend({ retired })
  .openapi('PackageChange')

export const AdministeredPackage = z
  .object({ id: z.int(), ...packFields, currency, badge, retired_at })
  .openapi('AdministeredPackage')

const Term = z.strictObject({ months: z.int().min(1).max(36), discount_pct: z.int().min(0).max(90) })

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
  period_days: z.int().min(1).max(366).describe('Length of one month of the term, in days'),
  priority: z.int().min(1).max(100).describe('Lower numbers are served first'),
  requests_per_minute: requests.describe('Maximum requests per minute of an account'),
  requests_per_day: requests.describe('Maximum requests per day of an account'),
  in_flight_max: z.int().min(1).max(10_000).describe('Maximum jobs of an account that are open at once'),
  throttled: z.boolean().describe('True if jobs of the plan are held before they enter the queue'),
}
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(64)

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
  .openapi('PlanChange')

export const AdministeredPlan = z
  .object({ id: z.int(), slug, ...planFields, currency, badge, terms: z.array(Term), retired_at })
  .openapi('AdministeredPlan')

const item_kind = z.enum(['plan', 'package'])
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const discount_pct = z.int().min(1).max(90)
const TimestampInput = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

export const PromotionCreate = z
  .strictObject({
    item_kind,
    item_id: id,
    discount_pct,
    starts_at: TimestampInput.optional().describe('Defaults to now'),
    ends_at: TimestampInput,
  })
  .openapi('PromotionCreate')

export const PromotionChange = z
  .strictObject({ discount_pct, starts_at: TimestampInput, ends_at: TimestampInput })
  .partial()
  .openapi('PromotionChange')

export const AdministeredPromotion = z
  .object({
    id: z.int(),
    item_kind,
    item_id: z.int(),
    discount_pct,
    starts_at: Timestamp,
    ends_at: Timestamp.describe('Equals starts_at if the promotion was withdrawn before it started'),
    created_at: Timestamp,
  })
  .openapi('AdministeredPromotion')

export const PackagePath = z.object({ package_id: numericId })
export const PlanPath = z.object({ plan_id: numericId })
export const PromotionPath = z.object({ promotion_id: numericId })
