import { findAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { loadRefundFacts } from './facts.ts'
import { showRefundQuote } from './list.ts'
import { refundQuery } from './queries.ts'
import { requestRefund } from './request.ts'
import { findWithdrawalBlock, isOpenRefund } from './rules/refunds.ts'
import { writeStatement } from './rules/withdrawal-email.ts'
import { viewRefund } from './view.ts'
import {
  confirmWithdrawalStatements,
  insertWithdrawalStatement,
  type StoredWithdrawal,
  withdrawalQuery,
} from './withdrawal-queries.ts'

/**
 * Previews a withdrawal (step 1): stores and returns the statement, with the quote, and changes nothing else.
 * Throws 404, and 409 for an unpaid order and after the statutory period.
 */
export async function stateWithdrawal(
  deps: Deps,
  caller: SessionCaller,
  orderId: string,
  record: RecordAnswer,
) {
  const quote = await showRefundQuote(deps, caller, orderId)
  const blocked = findWithdrawalBlock(quote)
  if (blocked !== null) throw new ApiError(blocked)
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
        // Never sends a name typed by a user to an unconfirmed address, because the statement is emailed.
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
 * Confirms a withdrawal (step 2): one commit records the statement and requests the refund, and an email
 * acknowledges it. Repeating the confirmation returns the same refund; after a failed refund, a new statement is
 * needed. Throws 404, and 409 like a refund request.
 */
export async function confirmWithdrawal(deps: Deps, caller: SessionCaller, id: string, record: RecordAnswer) {
  const withdrawal = await findWithdrawal(deps, caller, id)
  const before = await showConfirmed(deps, withdrawal)
  if (before !== null) return before
  const wish = {
    order_id: withdrawal.orderId,
    note: withdrawal.statement,
    confirms: (refund: { id: string }, now: number) =>
      confirmWithdrawalStatements(deps.db, id, { refundId: refund.id, now }),
    recheck: async () => {
      const { refundId } = await findWithdrawal(deps, caller, id)
      if (refundId !== null) throw new ApiError('already_confirmed')
    },
  }
  try {
    return await requestRefund(deps, caller, wish, record)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Only one of several concurrent confirmations is first; the others get the same response.
    const first = await showConfirmed(deps, await findWithdrawal(deps, caller, id))
    if (first === null) throw error
    await commit(deps.db, record(first))
    return first
  }
}

/** Returns the account's withdrawal. Throws 404. */
async function findWithdrawal(
  { db }: Deps,
  { account }: SessionCaller,
  id: string,
): Promise<StoredWithdrawal> {
  const [withdrawal] = await withdrawalQuery(db, account.id, id)
  if (withdrawal === undefined) throw new ApiError('withdrawal_not_found')
  return withdrawal
}

/** Returns the refund of a confirmed statement; null before confirmation. Throws 409 if the refund failed. */
async function showConfirmed(deps: Deps, { refundId }: StoredWithdrawal) {
  const [row] = refundId === null ? [] : await refundQuery(deps.db, refundId)
  if (row === undefined) return null
  if (isOpenRefund(row.refund.status) || row.refund.status === 'succeeded')
    return viewRefund(deps, row.refund, row.creditNote)
  throw new ApiError('already_confirmed')
}

export function viewWithdrawal(withdrawal: StoredWithdrawal) {
  return {
    id: withdrawal.id,
    order_id: withdrawal.orderId,
    statement: withdrawal.statement,
    stated_at: isoTime(withdrawal.statedAt),
  }
}
