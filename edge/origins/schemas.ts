import { z } from '@hono/zod-openapi'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { isWebOrigin, ORIGIN_LENGTH_MAX } from './web-origin.ts'

const ORIGINS_MAX = 20

const origin = z
  .string()
  .max(ORIGIN_LENGTH_MAX)
  .refine(isWebOrigin, schemaFault('invalid_origin'))
  .describe('Scheme, host, and port if it is not the default')
  .openapi({ example: 'https://app.example.com' })

/** Input and output of the list of origins. Contract: Accounts, Allowed origins. */
export const AllowedOrigins = z
  .strictObject({
    origins: z.array(origin).max(ORIGINS_MAX).describe('Origins of web pages that may call the API'),
  })
  .openapi('AllowedOrigins')
