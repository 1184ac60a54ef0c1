import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'

export const AccountDeletion = z
  .strictObject({
    confirm: z.string().max(1000).describe('The email address of the account'),
    current_password: z.string().max(256).optional().describe('Required if the account has a password'),
  })
  .openapi('AccountDeletion')

export const AccountDeleted = z
  .object({
    deleted_at: Timestamp,
    lapsed_credits: z.int().describe('All credits that lapsed with the account'),
    lapsed_paid_credits: z
      .int()
      .describe('The part that was paid for, including months that were not delivered yet'),
  })
  .openapi('AccountDeleted')
