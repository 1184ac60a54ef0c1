import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { flag } from '../jobs/schemas.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'

const count = z.int().min(0)

const mine = flag.default(false).describe('Administrators see totals of the platform unless this is true')

export const OverviewQuery = z.object({ mine })

export const UsageWindow = z.object({
  days: wholeNumberOr(30, { min: 1, max: 730, description: 'Ends today, in UTC' }),
  mine,
})

export const LogsQuery = z.object({
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  mine: flag.default(true).describe('Administrators see requests of all accounts if this is false'),
})

export const Overview = z
  .object({
    jobs: z.object({ queued: count, processing: count, done: count, failed: count, canceled: count }),
    credits: z.object({ spent: count, refunded: count }).describe('Total credits of all jobs'),
    storage: z.object({ uploads: count, results: count }).describe('Files currently stored'),
    webhooks: z
      .object({ delivered: count, failing: count })
      .describe('Counts listed webhooks; failing means at least one failed attempt'),
    accounts: count.optional().describe('Administrators only, like the following fields'),
    queue: z
      .object({ waiting: count, active: count, delayed: count })
      .optional()
      .describe('delayed: jobs that are held before they enter the queue'),
    orders: z.object({ paid: count, waiting: count }).optional(),
  })
  .openapi('Overview')

export const UsagePoint = z
  .object({
    date: z.iso.date(),
    submissions: count,
    credits: z.int().describe('Credits charged on that day minus credits refunded on it'),
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
    avg_processing_seconds: z.number().nullable().describe('Average over finished jobs'),
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
    active_users: count.describe('Accounts with job activity in the period'),
  })
  .openapi('UsageTotals')

export const RequestLog = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    request_id: z.string().describe('Value of the X-Request-Id header'),
    method: z.string(),
    path: z.string().describe('Without the query string'),
    status: z.int(),
    duration_ms: count,
    source: z.enum(['web', 'api', 'bridge']),
    key_id: z.int().nullable().describe('API key that authenticated the request'),
    ip_hash: z.string().describe('Equal for all requests of one IP address on one day'),
  })
  .openapi('RequestLog')
