import { z } from '@hono/zod-openapi'
import { Account, Timestamp } from '../accounts/schemas.ts'
import { ApiKey } from '../api-keys/schemas.ts'
import { Job, jobFilters } from '../jobs/schemas.ts'
import { cursor, offset } from '../platform/http/schemas/page.ts'
import { numericId, wholeNumberOr } from '../platform/http/schemas/whole-number.ts'

const page = {
  limit: wholeNumberOr(50, { min: 1, max: 200 }),
  offset,
}

export const AccountPath = z.object({ account_id: numericId })

export const AccountsQuery = z.object({
  q: z.string().trim().max(200).optional().describe('Part of the email address or name, or the account id'),
  ...page,
})

export const ListedAccount = z
  .object({
    id: z.int(),
    email: z.string(),
    full_name: z.string().nullable(),
    email_verified: z.boolean(),
    is_admin: z.boolean(),
    payments_enabled: z.boolean(),
    blocked: z.boolean(),
    created_at: Timestamp,
  })
  .openapi('ListedAccount')

export const AdministeredAccount = Account.extend({
  blocked_at: Timestamp.nullable(),
  deleted_at: Timestamp.nullable().describe('When the owner deleted the account'),
  balance: z.int(),
  open_jobs: z.int(),
  keys: z.array(
    ApiKey.pick({
      id: true,
      name: true,
      prefix: true,
      enabled: true,
      revoked: true,
      last_used_at: true,
      created_at: true,
    }),
  ),
}).openapi('AdministeredAccount')

export const AccountChange = z
  .strictObject({
    is_admin: z.boolean().optional(),
    payments_enabled: z.boolean().optional(),
    blocked: z
      .boolean()
      .optional()
      .describe('True ends its sessions and keys within five seconds and cancels the renewal of its plan'),
  })
  .openapi('AccountChange')

export const JobsOfAllQuery = z.object({
  account_id: numericId.optional(),
  ...page,
  cursor,
  ...jobFilters,
})

export const AdministeredJob = Job.extend({
  account_id: z.int().nullable().describe('null for an anonymous caller'),
  email: z.string().nullable(),
}).openapi('AdministeredJob')
