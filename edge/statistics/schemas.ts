import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { flag } from '../jobs/schemas.ts'
import {
  idOf,
  jobsThat,
  numberOf,
  operationKey,
  serviceSlug,
} from '../platform/http/schemas/common-fields.ts'
import { limitOf } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'

const count = z.int().min(0)

const mine = flag
  .default(false)
  .describe('Only the account of the caller. Administrators see totals of the platform unless this is true')

export const OverviewQuery = z.object({ mine })

export const UsageWindow = z.object({
  days: wholeNumberOr(30, { min: 1, max: 730, description: 'Number of days up to today, in UTC' }),
  mine,
})

export const LogsQuery = z.object({
  limit: limitOf(100, 500),
  mine: flag.default(true).describe('Administrators see requests of all accounts if this is false'),
})

export const Overview = z
  .object({
    jobs: z
      .object({
        queued: jobsThat('that wait', 3),
        processing: jobsThat('that run', 1),
        done: jobsThat('that are done', 1200),
        failed: jobsThat('that failed', 14),
        canceled: jobsThat('that were canceled', 5),
      })
      .describe('Jobs by state'),
    credits: z
      .object({
        spent: count.openapi({ description: 'Credits charged', example: 2600 }),
        refunded: count.openapi({ description: 'Credits refunded', example: 28 }),
      })
      .describe('Total credits of all jobs'),
    storage: z
      .object({
        uploads: count.openapi({ description: 'Uploaded files', example: 8 }),
        results: count.openapi({ description: 'Result files', example: 12 }),
      })
      .describe('Files currently stored'),
    webhooks: z
      .object({
        delivered: count.openapi({ description: 'Webhooks that were delivered', example: 90 }),
        failing: count.openapi({ description: 'Webhooks that failed at least once', example: 1 }),
      })
      .describe('Counts listed webhooks; failing means at least one failed attempt'),
    accounts: count.optional().openapi({
      description: 'Number of accounts. Administrators only, like the next fields',
      example: 4200,
    }),
    queue: z
      .object({
        waiting: jobsThat('that wait in the queue of the fleet', 12),
        active: jobsThat('that the fleet runs', 4),
        delayed: jobsThat('that are held before they enter the queue', 2),
      })
      .optional()
      .describe('The queue of the fleet'),
    orders: z
      .object({
        paid: count.openapi({ description: 'Orders that were paid', example: 310 }),
        waiting: count.openapi({ description: 'Orders that wait for a payment', example: 6 }),
      })
      .optional()
      .describe('Orders by state'),
  })
  .openapi('Overview')

const netCredits = z.int().openapi({ description: 'Credits charged minus credits refunded', example: 2572 })

export const UsagePoint = z
  .object({
    date: z.iso.date().openapi({ description: 'Day, in UTC', example: '2026-11-20' }),
    submissions: jobsThat('submitted', 40),
    credits: z.int().openapi({
      description: 'Credits charged on that day minus credits refunded on it',
      example: 86,
    }),
    done: jobsThat('that ended done', 38),
    failed: jobsThat('that failed', 2),
  })
  .openapi('UsagePoint')

export const ServiceUsage = z
  .object({
    service_slug: serviceSlug,
    operation_key: operationKey,
    submissions: jobsThat('submitted', 40),
    credits: netCredits,
    done: jobsThat('that ended done', 38),
    failed: jobsThat('that failed', 2),
    avg_processing_seconds: z.number().nullable().openapi({
      description: 'Average processing time of finished jobs in seconds; null if there are none',
      example: 7.4,
    }),
  })
  .openapi('ServiceUsage')

export const UsageTotals = z
  .object({
    days: count.openapi({ description: 'Length of the period in days', example: 30 }),
    scope: z
      .enum(['own', 'platform'])
      .describe('`own` counts the account of the caller, `platform` all accounts'),
    submissions: jobsThat('submitted', 1220),
    credits: netCredits,
    done: jobsThat('that ended done', 1200),
    failed: jobsThat('that failed', 14),
    canceled: jobsThat('that were canceled', 5),
    active_users: count.openapi({ description: 'Accounts with job activity in the period', example: 1 }),
  })
  .openapi('UsageTotals')

export const RequestLog = z
  .object({
    id: numberOf('row'),
    created_at: Timestamp.describe('Time of the request'),
    request_id: idOf('request').describe('Value of the X-Request-Id header'),
    method: z.string().openapi({ description: 'Method of the request', example: 'POST' }),
    path: z.string().openapi({ description: 'Path, without the query string', example: '/api/v1/jobs' }),
    status: z.int().openapi({ description: 'HTTP status of the response', example: 201 }),
    duration_ms: count.openapi({ description: 'Time to respond in milliseconds', example: 38 }),
    source: z
      .enum(['web', 'api', 'bridge'])
      .describe('`web` for a session, `api` for an API key, `bridge` for an upload link'),
    key_id: z.int().nullable().openapi({
      description: 'API key that authenticated the request; null for other requests',
      example: 17,
    }),
    ip_hash: z.string().openapi({
      description: 'Equal for all requests of one IP address on one day',
      example: '5e884898da280471',
    }),
  })
  .openapi('RequestLog')
