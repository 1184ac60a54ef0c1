import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { numberOf } from '../platform/http/schemas/common-fields.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

export const TokenCreate = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .optional()
      .openapi({ description: 'Name of the key, for your own lists', example: 'Nightly import' }),
    max_per_day: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .describe('Requests per day of the key; 0 selects the server default')
      .openapi({ example: 1000 }),
  })
  .openapi('TokenCreate')

export const ApiKey = z
  .object({
    id: numberOf('key'),
    name: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the key; null if it has none', example: 'Nightly import' }),
    prefix: z.string().openapi({ description: 'The first characters of the plaintext', example: 'mk_4f9a' }),
    enabled: z.boolean().openapi({ description: 'False while the key is paused', example: true }),
    revoked: z
      .boolean()
      .openapi({ description: 'True if an administrator revoked the key permanently', example: false }),
    max_per_day: z
      .int()
      .openapi({ description: 'Requests per day of the key; 0 is the server default', example: 1000 }),
    used_today: z.int().openapi({ description: 'Requests of the key today, in UTC', example: 12 }),
    last_used_at: Timestamp.nullable().describe(
      'Time of a recent request, at most ten minutes before the last one; null if the key was never used',
    ),
    created_at: Timestamp.describe('Time at which the key was created'),
  })
  .openapi('ApiKey')

export const CreatedApiKey = ApiKey.extend({
  plaintext: z.string().openapi({
    description: 'The API key. It is shown only once',
    example: 'mk_4f9a2b7c1d8e6f30a5b4c3d2e1f09876',
  }),
}).openapi('CreatedApiKey')

export const TokenPath = z.object({ token_id: numericId.describe('Id of the key') })
