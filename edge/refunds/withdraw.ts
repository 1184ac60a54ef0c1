import { findAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { loadSettings } from '../settings/queries.ts'
import { loadRefundFacts } from './facts.ts'
import { showRefundQuote } from './list.ts'
import { refundQuery } from './queries.ts'
import { requestRefund } from './request.ts'
import { isOpenRefund, type RefundQuote } from './rules/refunds.ts'
import { writeStatement } from './rules/withdrawal-email.ts'
import { viewRefund } from './view.ts'
import {
  confirmWithdrawalStatement,
  insertWithdrawalStatement,
  type StoredWithdrawal,
  withdrawalQuery,
} from './withdrawal-queries.ts'

/**
 * The first of two steps: says what would be declared and what would come back; nothing is done yet.
 * Throws 404, and 409 where the order cannot be withdrawn from (any more).
 */
export async function stateWithdrawal(
  deps: Deps,
  caller: SessionCaller,
  orderId: string,
  record: RecordAnswer,
) {
  const quote = await showRefundQuote(deps, caller, orderId)
  requireRight(quote)
  const { order } = await loadRefundFacts(deps, caller.account.id, orderId)
  const account = await findAccount(deps.db, caller.account.id)
  const now = deps.clock.now()
  const withdrawal: StoredWithdrawal = {
    id: crypto.randomUUID(),
    orderId,
    accountId: caller.account.id,
    statement: writeStatement(
      {
        order_id: orderId,
        item_name: order.itemName,
        ordered_at: order.createdAt,
        // The statement is emailed: to an address that nobody confirmed goes no name that was typed.
        name: caller.account.email_verified ? (account?.fullName ?? null) : null,
        email: caller.account.email,
      },
      account?.locale ?? 'en',
    ),
    statedAt: now,
    confirmedAt: null,
    refundId: null,
  }
  const answer = { ...viewWithdrawal(withdrawal), quote }
  await commit(deps.db, [insertWithdrawalStatement(deps.db, withdrawal), ...record(answer)])
  return answer
}

/**
 * The second step: the statement is made, and the refund asked for, in one commit; a letter acknowledges it
 * with its content, date and time. Confirming twice makes one refund, and answers it as it stands; where that
 * failed it is to be stated anew. Throws 404, and 409 as a refund does.
 */
export async function confirmWithdrawal(deps: Deps, caller: SessionCaller, id: string, record: RecordAnswer) {
  const withdrawal = await findWithdrawal(deps, caller, id)
  const before = await showConfirmed(deps, withdrawal)
  if (before !== null) return before
  const settings = await loadSettings(deps.db, deps.clock.now())
  const wish = {
    order_id: withdrawal.orderId,
    note: withdrawal.statement,
    confirms: (refund: { id: string }, quote: { reason: string }, now: number) => {
      requireRight({ ...quote, blocked: '', eligible: settings.refunds_enabled })
      return [confirmWithdrawalStatement(deps.db, id, { refundId: refund.id, now })]
    },
    recheck: async () => {
      const { refundId } = await findWithdrawal(deps, caller, id)
      if (refundId !== null) throw new ApiError('already_confirmed')
    },
  }
  try {
    return await requestRefund(deps, caller, wish, record)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Of several that confirm it at once one is first, and the others are answered alike.
    const first = await showConfirmed(deps, await findWithdrawal(deps, caller, id))
    if (first === null) throw error
    await commit(deps.db, record(first))
    return first
  }
}

/** Throws 404. */
async function findWithdrawal(
  { db }: Deps,
  { account }: SessionCaller,
  id: string,
): Promise<StoredWithdrawal> {
  const [withdrawal] = await withdrawalQuery(db, account.id, id)
  if (withdrawal === undefined) throw new ApiError('withdrawal_not_found')
  return withdrawal
}

/** The refund that a confirmed statement led to; null before it is confirmed. Throws 409 where that failed. */
async function showConfirmed({ db }: Deps, { refundId }: StoredWithdrawal) {
  const [row] = refundId === null ? [] : await refundQuery(db, refundId)
  if (row === undefined) return null
  if (isOpenRefund(row.refund.status) || row.refund.status === 'succeeded') return viewRefund(row.refund)
  throw new ApiError('already_confirmed')
}

interface Right {
  reason: string
  blocked: RefundQuote['blocked']
  eligible: boolean
}

function requireRight({ reason, blocked, eligible }: Right): void {
  if (blocked !== '') throw new ApiError(blocked)
  if (!eligible) throw new ApiError('refunds_disabled')
  if (reason !== 'withdrawal') throw new ApiError('window_closed')
}

export function viewWithdrawal(withdrawal: StoredWithdrawal) {
  return {
    id: withdrawal.id,
    order_id: withdrawal.orderId,
    statement: withdrawal.statement,
    stated_at: isoTime(withdrawal.statedAt),
  }
}
