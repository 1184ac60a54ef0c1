import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

export const TokenCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(64).optional(),
    max_per_day: z.int().min(0).max(1_000_000_000).default(0).describe('0 selects the server default'),
  })
  .openapi('TokenCreate')

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string().nullable(),
    prefix: z.string().describe('The first characters of the plaintext'),
    enabled: z.boolean(),
    revoked: z.boolean().describe('True if an administrator revoked the key permanently'),
    max_per_day: z.int(),
    used_today: z.int(),
    last_used_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .openapi('ApiKey')

export const CreatedApiKey = ApiKey.extend({
  plaintext: z.string().describe('The API key. It is shown only once.'),
}).openapi('CreatedApiKey')

export const TokenPath = z.object({ token_id: numericId })
