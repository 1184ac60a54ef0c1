import { z } from '@hono/zod-openapi'
import { Account, Timestamp } from '../accounts/schemas.ts'
import { ApiKey } from '../api-keys/schemas.ts'
import { Job, jobFilters } from '../jobs/schemas.ts'
import { emailAddress, jobsThat } from '../platform/http/schemas/common-fields.ts'
import { cursor, limitOf, offset } from '../platform/http/schemas/page.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const page = {
  limit: limitOf(50, 200),
  offset,
}

export const AccountPath = z.object({ account_id: numericId.describe('Id of the account') })

export const AccountsQuery = z.object({
  q: z.string().trim().max(200).optional().describe('Part of the email address or name, or the account id'),
  ...page,
})

export const ListedAccount = z
  .object({
    id: Account.shape.id,
    email: Account.shape.email,
    full_name: Account.shape.full_name,
    email_verified: Account.shape.email_verified,
    is_admin: Account.shape.is_admin,
    payments_enabled: Account.shape.payments_enabled,
    blocked: z.boolean().openapi({ description: 'True if the account is blocked', example: false }),
    created_at: Account.shape.created_at,
  })
  .openapi('ListedAccount')

export const AdministeredAccount = Account.extend({
  blocked_at: Timestamp.nullable().describe('Time at which the account was blocked; null if it is not'),
  deleted_at: Timestamp.nullable().describe(
    'Time at which the owner deleted the account; null if it is not deleted',
  ),
  balance: z.int().openapi({ description: 'Credits of the account', example: 520 }),
  open_jobs: jobsThat('that are not finished', 1),
  keys: z
    .array(
      ApiKey.pick({
        id: true,
        name: true,
        prefix: true,
        enabled: true,
        revoked: true,
        last_used_at: true,
        created_at: true,
      }),
    )
    .describe('API keys of the account'),
}).openapi('AdministeredAccount')

export const AccountChange = z
  .strictObject({
    is_admin: Account.shape.is_admin.optional(),
    payments_enabled: Account.shape.payments_enabled.optional(),
    blocked: z.boolean().optional().openapi({
      description: 'True ends its sessions and keys within five seconds and cancels the renewal of its plan',
      example: false,
    }),
  })
  .openapi('AccountChange')

export const JobsOfAllQuery = z.object({
  account_id: numericId.optional().describe('Only jobs of this account'),
  ...page,
  cursor,
  ...jobFilters,
})

export const AdministeredJob = Job.extend({
  account_id: z
    .int()
    .nullable()
    .openapi({ description: 'Id of the account; null for an anonymous caller', example: 17 }),
  email: emailAddress.nullable().describe('Email address of the account; null for an anonymous caller'),
}).openapi('AdministeredJob')
