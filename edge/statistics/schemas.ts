import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { flag } from '../jobs/schemas.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'

const count = z.int().min(0)

const mine = flag
  .default(false)
  .describe('Administrators see the figures of the platform unless this is true')

export const OverviewQuery = z.object({ mine })

export const UsageWindow = z.object({
  days: wholeNumberOr(30, { min: 1, max: 730, description: 'They end today, in UTC' }),
  mine,
})

export const LogsQuery = z.object({
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  mine: flag.default(true).describe('Administrators see the requests of everybody where this is false'),
})

export const Overview = z
  .object({
    jobs: z.object({ queued: count, processing: count, done: count, failed: count, canceled: count }),
    credits: z.object({ spent: count, refunded: count }).describe('By jobs, since the beginning'),
    storage: z.object({ uploads: count, results: count }).describe('Files that are stored at present'),
    webhooks: z
      .object({ delivered: count, failing: count })
      .describe('Of those that are still listed; one is failing once an attempt came to nothing'),
    accounts: count.optional().describe('For administrators, as what follows'),
    queue: z
      .object({ waiting: count, active: count, delayed: count })
      .optional()
      .describe('A job is delayed while it is held back before it queues'),
    orders: z.object({ paid: count, waiting: count }).optional(),
  })
  .openapi('Overview')

export const UsagePoint = z
  .object({
    date: z.iso.date(),
    submissions: count,
    credits: z.int().describe('Taken on that day, less what was given back on it'),
    done: count,
    failed: count,
  })
  .openapi('UsagePoint')

export const ServiceUsage = z
  .object({
    service_slug: z.string(),
    operation_key: z.string(),
    submissions: count,
    credits: z.int(),
    done: count,
    failed: count,
    avg_processing_seconds: z.number().nullable().describe('Of the jobs that are done'),
  })
  .openapi('ServiceUsage')

export const UsageTotals = z
  .object({
    days: count,
    scope: z.enum(['own', 'platform']),
    submissions: count,
    credits: z.int(),
    done: count,
    failed: count,
    canceled: count,
    active_users: count.describe('Accounts that did anything with jobs in these days'),
  })
  .openapi('UsageTotals')

export const RequestLog = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    request_id: z.string().describe('As the X-Request-Id header told it'),
    method: z.string(),
    path: z.string().describe('Without its query'),
    status: z.int(),
    duration_ms: count,
    source: z.enum(['web', 'api', 'bridge']),
    key_id: z.int().nullable().describe('The API key it was made with'),
    ip_hash: z.string().describe('The same for the requests of one address on one day'),
  })
  .openapi('RequestLog')
