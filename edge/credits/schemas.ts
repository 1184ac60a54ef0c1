import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { offset } from '../platform/http/schemas/page.ts'
import { wholeNumberOr } from '../platform/http/schemas/whole-number.ts'
import { ENTRY_TYPES } from './rules/ledger.ts'

export const Balance = z
  .object({
    balance: z.int(),
    expiring: z.int().describe('Part of the balance that expires at expires_at'),
    expires_at: Timestamp.nullable(),
  })
  .openapi('Balance')

export const LedgerRow = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    entry_type: z.enum(ENTRY_TYPES),
    amount: z.int().describe('Signed change of the balance'),
    balance_after: z.int(),
    expires_at: Timestamp.nullable(),
    job_id: z.string().nullable(),
    order_id: z.string().nullable(),
    note: z.string().nullable(),
    taken_from: z
      .array(z.object({ grant: z.int(), entry_type: z.enum(ENTRY_TYPES), amount: z.int() }))
      .describe(
        'Credits deducted from each grant by a charge (negative), or returned by a refund (positive)',
      ),
  })
  .openapi('LedgerRow')

export const LedgerQuery = z.object({
  limit: wholeNumberOr(100, { min: 1, max: 500 }),
  offset,
  entry_type: z.enum(ENTRY_TYPES).optional(),
})

export const LedgerCheck = z
  .object({ ok: z.boolean(), balance: z.int(), ledger_sum: z.int(), grants_sum: z.int() })
  .openapi('LedgerCheck')
