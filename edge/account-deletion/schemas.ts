import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Refund } from '../refunds/schemas.ts'

export const AccountDeletion = z
  .strictObject({
    confirm: z
      .string()
      .max(1000)
      .openapi({ description: 'The email address of the account', example: 'ada@example.com' }),
    current_password: z.string().max(256).optional().openapi({
      description: 'Current password. Required if the account has one',
      example: 'a horse that counts to nine',
    }),
    refund: z.enum(['request', 'waive']).optional().openapi({
      description:
        'Required if a refund is due: `request` has it paid back, `waive` gives it up. Without it, the response is 409 `refund_due` with the amounts',
      example: 'request',
    }),
  })
  .openapi('AccountDeletion')

export const AccountDeleted = z
  .object({
    deleted_at: Timestamp.describe('Time of the deletion'),
    expired_credits: z
      .int()
      .openapi({ description: 'All credits that expired with the account', example: 20 }),
    expired_paid_credits: z
      .int()
      .openapi({ example: 0 })
      .describe('The part that was paid for, including months that were not delivered yet, without refunds'),
    refunds: z.array(Refund).describe('The refunds that were requested. Emails tell their outcomes'),
  })
  .openapi('AccountDeleted')
