import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import { readRowsEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { transitionRefund } from '../refunds/handle-event.ts'
import { listRefunds, refundQuery } from '../refunds/queries.ts'
import type { RefundState } from '../refunds/rules/refunds.ts'
import { viewRefund } from '../refunds/view.ts'
import { requireAdministrator } from './audit.ts'
import { auditStatements } from './audit-queries.ts'

/** Lists refund requests from all accounts, newest first. */
export async function listAllRefunds(
  deps: Deps,
  page: { status?: RefundState | undefined; limit: number; offset: number },
) {
  const rows = await readRowsEverywhere(
    deps,
    page,
    (db, part) => listRefunds(db, part),
    ({ refund: one }, { refund: other }) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
  return rows.map(({ refund, email, creditNote }) => ({
    ...viewRefund(deps, refund, creditNote),
    account_id: refund.accountId,
    email,
  }))
}

const OUTCOMES = { approve: 'succeeded', reject: 'rejected' } as const

/**
 * Settles a manual payout: either it has been sent, or it is rejected and everything is returned. Throws 404, and
 * 409 if the refund is not awaiting a manual payout.
 */
export async function decideRefund(
  asked: Deps,
  caller: SessionCaller,
  id: string,
  decision: keyof typeof OUTCOMES,
  note: string | null,
) {
  const place = await findAnywhere(asked, async ({ db }) => (await refundQuery(db, id))[0])
  if (place === null) throw new ApiError('refund_not_found')
  const { deps, found: row } = place
  if (row.refund.status !== 'awaiting_payout') throw notAwaitingPayout(row.refund)
  const status = OUTCOMES[decision]
  const { refund, changed } = await transitionRefund(deps, row.refund, status, {
    note: note ?? undefined,
    recheck: () => requireAdministrator(deps, caller),
    statements: [
      ...auditStatements(
        deps.db,
        null,
        {
          action: `refund.${decision}`,
          target: `refund:${id}`,
          before: { status: row.refund.status },
          after: { status, note },
        },
        { caller, now: deps.clock.now() },
      ),
    ],
  })
  if (!changed) throw notAwaitingPayout(refund)
  const [settled] = await refundQuery(deps.db, id)
  return viewRefund(deps, refund, settled?.creditNote)
}

function notAwaitingPayout({ status }: { status: RefundState }): ApiError {
  return new ApiError('refund_not_awaiting_payout', { status })
}
