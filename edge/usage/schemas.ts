import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Paging } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const source = z.enum(['web', 'api', 'bridge'])

export const UsageEvent = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    source,
    action: z.enum(['submit', 'done', 'failed', 'canceled', 'upload', 'deliver']),
    service_slug: z.string().nullable(),
    operation_key: z.string().nullable(),
    job_id: z.string().nullable(),
    credits: z
      .int()
      .describe(
        'Credits charged by this event; negative if refunded. The events of a job add up to its price',
      ),
  })
  .openapi('UsageEvent')

export const UsageQuery = Paging.extend({
  source: source.optional(),
  action: z.string().max(16).optional(),
})

const count = z.int().min(0)

export const UsageSummary = z
  .object({
    days: z.literal(30),
    submissions: count,
    credits: z.int(),
    done: count,
    failed: count,
    canceled: count,
    by_operation: z.array(
      z.object({ service_slug: z.string(), operation_key: z.string(), submissions: count, credits: z.int() }),
    ),
  })
  .openapi('UsageSummary')

export const Features = z
  .object({ features: z.record(z.string(), z.boolean()), segments: z.array(z.string()) })
  .openapi('Features')

const operation_id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

interface NamedParts {
  operation_id?: number
  service_slug?: string
  operation_key?: string
}

/** Returns the first missing part of a tool reference, or null if it is complete. */
function missingPart({ operation_id, service_slug, operation_key }: NamedParts): keyof NamedParts | null {
  if (operation_id !== undefined) return null
  if (service_slug === undefined) return operation_key === undefined ? 'operation_id' : 'service_slug'
  return operation_key === undefined ? 'operation_key' : null
}

const addressPart = z.string().min(1).max(64).optional()

export const FavoriteAddIn = z
  .strictObject({
    operation_id: operation_id.optional().describe('Alternative to service_slug and operation_key'),
    service_slug: addressPart,
    operation_key: addressPart,
  })
  .superRefine((name, context) => {
    const missing = missingPart(name)
    if (missing === null) return
    context.addIssue({ code: 'custom', path: [missing], ...schemaFault('ambiguous_operation') })
  })
  .openapi('FavoriteAddIn')

export const FavoriteReorderIn = z
  .strictObject({ operation_ids: z.array(operation_id).max(1000) })
  .openapi('FavoriteReorderIn')

export const Favorite = z
  .object({
    operation_id: z.int(),
    service_slug: z.string(),
    operation_key: z.string(),
    position: count.describe('0 is first'),
    created_at: Timestamp,
  })
  .openapi('Favorite')

export const FavoritePath = z.object({
  operation_id: numericId,
})
