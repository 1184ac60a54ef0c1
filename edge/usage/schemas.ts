import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Paging } from '../jobs/schemas.ts'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import {
  idOf,
  jobsThat,
  numberOf,
  operationKey,
  serviceSlug,
} from '../platform/http/schemas/common-fields.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const source = z
  .enum(['web', 'api', 'bridge'])
  .describe('`web` for a session, `api` for an API key, `bridge` for an upload link')
const netCredits = z.int().openapi({ description: 'Credits charged minus credits refunded', example: 86 })

export const UsageEvent = z
  .object({
    id: numberOf('event'),
    created_at: Timestamp.describe('Time of the event'),
    source,
    action: z.enum(['submit', 'done', 'failed', 'canceled', 'upload', 'deliver']).describe('What happened'),
    service_slug: serviceSlug.nullable().describe('Service of the operation; null without a job'),
    operation_key: operationKey.nullable().describe('Key of the operation; null without a job'),
    job_id: idOf('job').nullable().describe('Id of the job; null without a job'),
    credits: z
      .int()
      .openapi({ example: 2 })
      .describe(
        'Credits charged by this event; negative if refunded. The events of a job add up to its price',
      ),
  })
  .openapi('UsageEvent')

export const UsageQuery = Paging.extend({
  source: source.optional().describe('Only events from this source'),
  action: z.string().max(16).optional().describe('Only events with this action'),
})

const count = z.int().min(0)

export const UsageSummary = z
  .object({
    days: z.literal(30).describe('Length of the period in days'),
    submissions: jobsThat('submitted', 40),
    credits: netCredits,
    done: jobsThat('that ended done', 38),
    failed: jobsThat('that failed', 1),
    canceled: jobsThat('that were canceled', 1),
    by_operation: z
      .array(
        z.object({
          service_slug: serviceSlug,
          operation_key: operationKey,
          submissions: jobsThat('submitted', 40),
          credits: netCredits,
        }),
      )
      .describe('The same by operation, most used first'),
  })
  .openapi('UsageSummary')

export const Features = z
  .object({
    features: z
      .record(z.string(), z.boolean())
      .openapi({ description: 'Switches of the web studio by name', example: { batches: true } }),
    segments: z
      .array(z.string())
      .openapi({ description: 'Groups to which the caller belongs', example: ['account', 'verified'] }),
  })
  .openapi('Features')

const operation_id = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .openapi({ description: 'Id of the operation in the tools listing', example: 5 })

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
    service_slug: addressPart.openapi({ description: 'Service of the operation', example: 'video' }),
    operation_key: addressPart.openapi({ description: 'Key of the operation', example: 'compress' }),
  })
  .superRefine((name, context) => {
    const missing = missingPart(name)
    if (missing === null) return
    context.addIssue({ code: 'custom', path: [missing], ...schemaFault('ambiguous_operation') })
  })
  .openapi('FavoriteAddIn', { example: { service_slug: 'video', operation_key: 'compress' } })

export const FavoriteReorderIn = z
  .strictObject({
    operation_ids: z.array(operation_id).max(1000).describe('Ids of the favorites in the new order'),
  })
  .openapi('FavoriteReorderIn')

export const Favorite = z
  .object({
    operation_id,
    service_slug: serviceSlug,
    operation_key: operationKey,
    position: count.openapi({ description: 'Position in the list; 0 is first', example: 0 }),
    created_at: Timestamp.describe('Time at which the favorite was added'),
  })
  .openapi('Favorite')

export const FavoritePath = z.object({
  operation_id: numericId.describe('Id of the operation in the tools listing'),
})
