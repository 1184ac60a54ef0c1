import { z } from '@hono/zod-openapi'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import {
  HEADER_NAME_LENGTH_MAX,
  HEADERS_BYTES_MAX,
  HEADERS_MAX,
  isAllowedHeader,
  isHeaderValue,
  isWithinLimits,
} from './rules/import-headers.ts'

const names = (headers: Record<string, string>) => Object.keys(headers)
const values = (headers: Record<string, string>) => Object.values(headers)

/** Headers for the download of a public URL. They are credentials: no error, log or record may contain their values. */
export const importHeaders = z
  .record(z.string().max(HEADER_NAME_LENGTH_MAX), z.string().max(HEADERS_BYTES_MAX))
  .refine((headers) => names(headers).every(isAllowedHeader), schemaFault('header_not_allowed'))
  .refine((headers) => values(headers).every(isHeaderValue), schemaFault('invalid_header_value'))
  .refine(isWithinLimits, schemaFault('too_many_headers'))
  .optional()
  .openapi({
    maxProperties: HEADERS_MAX,
    description:
      'Headers for the download from a public URL: `Authorization`, `Cookie`, `Referer`, `User-Agent` and `X-…` (not ' +
      `\`X-Forwarded-…\`), up to ${HEADERS_BYTES_MAX} bytes. They are stored encrypted, never shown, not sent to another ` +
      'origin after a redirect, and deleted when the job ends',
    example: { Authorization: 'Bearer 4f7c0e' },
  })
