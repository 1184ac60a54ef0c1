import { z } from 'zod'

/** Fields of the API's responses that the client reads. Responses can have more fields. */
const ResultSchema = z.looseObject({
  url: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  body: z.record(z.string(), z.unknown()),
})
export const JobSchema = z.looseObject({
  id: z.string(),
  status: z.enum(['queued', 'processing', 'done', 'failed', 'canceled']),
  progress: z.number(),
  estimated_cost: z.int(),
  final_cost: z.int().nullable(),
  processing_seconds: z.number().nullable(),
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  result: ResultSchema.nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export const DetailSchema = z.looseObject({ detail: z.string() })
export const SessionSchema = z.looseObject({ access_token: z.string() })
export const PresignSchema = z.looseObject({
  method: z.literal('PUT'),
  put_url: z.string(),
  headers: z.record(z.string(), z.string()),
  url: z.string(),
  key: z.string(),
})
export const BalanceSchema = z.looseObject({
  balance: z.int(),
  expiring: z.int(),
  expires_at: z.string().nullable(),
})
export const LedgerSchema = z.array(
  z.looseObject({
    id: z.int(),
    entry_type: z.string(),
    amount: z.int(),
    balance_after: z.int(),
    job_id: z.string().nullable(),
  }),
)

export const LedgerCheckSchema = z.looseObject({
  ok: z.boolean(),
  balance: z.int(),
  ledger_sum: z.int(),
  grants_sum: z.int(),
})
export const ReadinessSchema = z.looseObject({
  status: z.enum(['ok', 'unavailable']),
  checks: z.looseObject({ database: z.enum(['ok', 'down']), cache: z.enum(['ok', 'down']) }),
})

export type Job = z.infer<typeof JobSchema>
export type Ledger = z.infer<typeof LedgerSchema>
