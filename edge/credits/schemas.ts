import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { idOf, noteOf, numberOf } from '../platform/http/schemas/common-fields.ts'
import { cursor, limitOf, offset } from '../platform/http/schemas/page.ts'
import { SOURCES_MAX } from './rules/balance.ts'
import { ENTRY_TYPES, GRANT_KINDS } from './rules/ledger.ts'

const balanceParts = {
  balance: z.int().openapi({ description: 'Credits of the account', example: 520 }),
  expiring: z.int().openapi({ description: 'Part of the balance that expires at `expires_at`', example: 20 }),
  expires_at: Timestamp.nullable().describe('Next expiry of credits; null if none expire'),
}

export const BalanceParts = z.object(balanceParts).openapi('BalanceParts')

export const Balance = z
  .object({
    ...balanceParts,
    grants: z
      .array(
        z.object({
          entry_type: z
            .enum(GRANT_KINDS)
            .openapi({ description: 'Kind of the grant', example: 'daily_free' }),
          credits: z.int().openapi({ description: 'What is left', example: 20 }),
          expires_at: Timestamp.nullable().describe('When it expires; null if it does not'),
        }),
      )
      .max(SOURCES_MAX)
      .describe('What the balance consists of, in the order in which it is spent'),
    next_allowance: z
      .object({
        credits: z.int().openapi({ description: 'Credits of the allowance', example: 20 }),
        lands_at: Timestamp.describe('When it lands'),
      })
      .nullable()
      .describe('Next daily free allowance; null while none lands, for example during a paid plan'),
  })
  .openapi('Balance')

const entryType = z.enum(ENTRY_TYPES).openapi({ description: 'What changed the balance', example: 'debit' })

export const LedgerRow = z
  .object({
    id: numberOf('entry'),
    created_at: Timestamp.describe('Time of the entry'),
    entry_type: entryType,
    amount: z.int().openapi({ description: 'Signed change of the balance', example: -2 }),
    balance_after: z.int().openapi({ description: 'Balance after the entry', example: 518 }),
    expires_at: Timestamp.nullable().describe('Expiry of the granted credits; null if they do not expire'),
    job_id: idOf('job').nullable().describe('Job that was charged or refunded; null for other entries'),
    order_id: idOf('order').nullable().describe('Order that granted the credits; null for other entries'),
    note: noteOf('an administrator'),
    taken_from: z
      .array(
        z.object({
          grant: numberOf('entry that granted the credits'),
          entry_type: entryType,
          amount: z.int().openapi({ description: 'Signed change of what is left of the grant', example: -2 }),
        }),
      )
      .describe(
        'Credits deducted from each grant by a charge (negative), or returned by a refund (positive)',
      ),
  })
  .openapi('LedgerRow')

export const LedgerQuery = z.object({
  limit: limitOf(100, 500),
  offset,
  cursor,
  entry_type: entryType.optional().describe('Only entries of this type'),
})

export const LedgerCheck = z
  .object({
    ok: z.boolean().openapi({ description: 'True if the three sums are equal', example: true }),
    balance: z.int().openapi({ description: 'Balance of the account', example: 520 }),
    ledger_sum: z.int().openapi({ description: 'Sum of all entries of the ledger', example: 520 }),
    grants_sum: z.int().openapi({ description: 'Sum of what is left of all grants', example: 520 }),
  })
  .openapi('LedgerCheck')
