import { findAccount } from '../../db/accounts.ts'
import { commit } from '../../db/commit.ts'
import { loadSettings } from '../../db/settings.ts'
import {
  confirmWithdrawalStatement,
  insertWithdrawalStatement,
  type StoredWithdrawal,
  withdrawalQuery,
} from '../../db/withdrawals.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { writeStatement } from '../../rules/letters/withdrawal-statement.ts'
import { pickLocale } from '../../rules/locale.ts'
import { ApiError } from '../api-error.ts'
import type { RecordAnswer } from '../record-answer.ts'
import { isoTime } from '../views.ts'
import { loadRefundFacts } from './facts.ts'
import { showRefundQuote } from './list.ts'
import { requestRefund } from './request.ts'

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
        name: account?.fullName ?? null,
        email: caller.account.email,
      },
      order.consentLocale ?? pickLocale(caller.account.locale),
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
 * with its content, date and time. Confirming twice makes one refund, also where that failed: then it is to be
 * stated anew. Throws 404, and 409 as a refund does.
 */
export async function confirmWithdrawal(deps: Deps, caller: SessionCaller, id: string, record: RecordAnswer) {
  const [withdrawal] = await withdrawalQuery(deps.db, caller.account.id, id)
  if (withdrawal === undefined) throw new ApiError(404, 'unknown withdrawal')
  const settings = await loadSettings(deps.db, deps.clock.now())
  const wish = {
    order_id: withdrawal.orderId,
    note: withdrawal.statement,
    confirms: (refund: { id: string }, quote: { reason: string }, now: number) => {
      if (withdrawal.confirmedAt !== null) throw confirmedBefore()
      requireRight({ ...quote, blocked: '', eligible: settings.refunds_enabled })
      return [confirmWithdrawalStatement(deps.db, id, { refundId: refund.id, now })]
    },
  }
  return requestRefund(deps, caller, wish, record)
}

function confirmedBefore(): ApiError {
  const message = 'this statement was confirmed before, and its refund is over: state the withdrawal anew'
  return new ApiError(409, { code: 'already_confirmed', message })
}

function requireRight({ reason, blocked, eligible }: { reason: string; blocked: string; eligible: boolean }) {
  if (blocked !== '')
    throw new ApiError(409, { code: blocked, message: 'this order cannot be withdrawn from now' })
  if (!eligible) {
    throw new ApiError(409, { code: 'refunds_disabled', message: 'refunds are not taken at the moment' })
  }
  if (reason !== 'withdrawal') {
    throw new ApiError(409, { code: 'window_closed', message: 'the time for withdrawal is over' })
  }
}

export function viewWithdrawal(withdrawal: StoredWithdrawal) {
  return {
    id: withdrawal.id,
    order_id: withdrawal.orderId,
    statement: withdrawal.statement,
    stated_at: isoTime(withdrawal.statedAt),
  }
}
