import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import {
  andThen,
  type Change,
  type Credits,
  refund as giveBack,
  grant,
  unchanged,
} from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { orderTransitionStatements } from '../orders/queries.ts'
import { countedCents } from '../orders/rules/payment.ts'
import { handlePaybackEvent } from '../payments/pay-back.ts'
import type { RefundEvent } from '../payments/provider.ts'
import type { TaxedTotal } from '../payments/rules/taxed-total.ts'
import type { Statement } from '../platform/database/client.ts'
import { issueCreditNote } from '../receipts/issue.ts'
import { receiptsOfRefundQuery } from '../receipts/queries.ts'
import { keepTerm } from '../subscriptions/rules/renewal.ts'
import { closeGaps, endOf } from '../subscriptions/rules/terms.ts'
import { termMonthsQuery, toTermMonth } from '../subscriptions/term-queries.ts'
import { termOf, termTransition } from '../subscriptions/transition.ts'
import { outcomeEffect } from './emails.ts'
import {
  refundedQuery,
  refundQuery,
  refundTransitionStatements,
  removedQuery,
  reportedRefundQuery,
  restoreMonthStatements,
  type StoredRefund,
  setPeriodEndStatement,
  withdrawnQuery,
} from './queries.ts'
import { canTransitionRefund, isOpenRefund, orderAfterRefund, type RefundState } from './rules/refunds.ts'

/**
 * Applies a provider's refund event; a repeated event changes nothing. Notifies the operator of refunds that were
 * not requested here and of refunds that succeeded and were then reversed.
 */
export async function handleRefundEvent(
  deps: Deps,
  provider: string,
  reported: RefundEvent,
  statements: readonly Statement[] = [],
): Promise<void> {
  if (await handlePaybackEvent(deps, provider, reported)) return
  const [known] = await reportedRefundQuery(deps.db, provider, reported)
  if (known === undefined)
    return notifyOperator(`${provider} reported ${reported.reference}, which was not requested here`)
  const { refund, changed } = await transitionRefund(deps, known, reported.state, {
    ...paidBack(reported),
    statements,
  })
  if (!changed && refund.status === 'succeeded' && reported.state === 'failed') {
    notifyOperator(`${provider} reversed the refund ${refund.id} after it had succeeded`)
  }
  if (!changed && refund.status !== 'succeeded' && reported.state === 'succeeded') {
    notifyOperator(`${provider} paid the refund ${refund.id}, but its status here is ${refund.status}`)
  }
}

function notifyOperator(message: string): void {
  reportUnforeseen(new Error(message), { task: 'handle refunds' })
}

/** Returns what an event reports about a refund, besides its state. */
export function paidBack({ reference, returned }: RefundEvent): Pick<Transition, 'reference' | 'returned'> {
  return { reference, returned }
}

/** Details of a refund transition: the provider's reference, and statements for the same commit. */
interface Transition {
  reference?: string
  /** What was paid back with tax; null or absent if the provider reports no tax. */
  returned?: TaxedTotal | null
  statements?: readonly Statement[]
  note?: string | undefined
  /** Runs before each attempt to commit; an error aborts the transition. */
  recheck?(): Promise<void>
}

interface TransitionResult {
  refund: StoredRefund
  /** True if this transition caused the refund to reach the state. */
  changed: boolean
}

/**
 * Changes the state of a refund. If it succeeds, the order is updated; if it fails or is rejected, everything that
 * the request removed is returned. An invalid transition changes nothing. Nothing returns to a deleted account: a refund
 * that fails then waits for a manual payout.
 * @returns the refund after the transition.
 */
export async function transitionRefund(
  deps: Deps,
  { id, accountId }: { id: string; accountId: number },
  asked: RefundState,
  transition: Transition = {},
): Promise<TransitionResult> {
  const result = await changeCredits<TransitionFacts, TransitionResult>(deps, accountId, {
    load: async () => (await Promise.all([loadTransition(deps, id, accountId), transition.recheck?.()]))[0],
    decide: (facts, settled, now) => {
      const { refund, order, account } = facts
      const isDeleted = account.deletedAt !== null
      const status = isDeleted && asked === 'failed' ? 'awaiting_payout' : asked
      if (!canTransitionRefund(refund.status, status)) return { answer: { refund, changed: false } }
      const fields = fieldsAfter(refund, status, transition, { now, isDeleted })
      const next = { ...refund, ...fields, status }
      const { change, statements, effects } = returned(deps, facts, settled, status, now)
      const received = { ...next, ...removedBy(refund) }
      const refunded = status === 'succeeded' ? refundOrder(deps, facts, next, transition, now) : null
      const to = {
        email: refund.email ?? account.email,
        locale: account.locale,
        is_deleted: isDeleted,
        credit_note_token: refunded?.credit_note_token ?? null,
      }
      const effect = isOpenRefund(status) ? null : outcomeEffect(deps, order, received, to, now)
      return {
        change,
        statements: [
          ...refundTransitionStatements(deps.db, refund, status, fields, now),
          ...statements,
          ...(refunded?.statements ?? []),
          ...(transition.statements ?? []),
        ],
        effects: [...effects, ...(effect === null ? [] : [effect])],
        answer: { refund: next, changed: true },
      }
    },
  })
  const { refund, changed } = result
  if (changed && refund.status !== asked) {
    notifyOperator(`the refund ${id} of a deleted account failed; it requires a manual payout`)
  }
  return result
}

function fieldsAfter(
  refund: StoredRefund,
  status: RefundState,
  { reference, note }: Transition,
  { now, isDeleted }: { now: number; isDeleted: boolean },
) {
  return {
    providerReference: reference ?? refund.providerReference,
    finishedAt: isOpenRefund(status) ? null : now,
    nextPollAt: status === 'processing' ? now : null,
    note: refund.note ?? note ?? null,
    ...(isOpenRefund(status) ? {} : { email: null }),
    ...(comesBack(status) && !isDeleted ? NOTHING_REMOVED : {}),
  }
}

const NOTHING_REMOVED = { creditsRemoved: 0, creditsWithdrawn: 0 }

/** Returns the amounts reported in emails, which stay the same after the credits are returned. */
function removedBy({ creditsRemoved, creditsWithdrawn }: StoredRefund) {
  return { creditsRemoved, creditsWithdrawn }
}

/** Checks whether the transition returns what the request removed. */
function comesBack(status: RefundState): boolean {
  return status === 'failed' || status === 'rejected'
}

type TransitionFacts = Awaited<ReturnType<typeof loadTransition>>

async function loadTransition({ db }: Deps, id: string, accountId: number) {
  const [rows, refunded, removed, withdrawn, issued, ...credits] = await db.batch([
    refundQuery(db, id),
    refundedQuery(db, id, accountId),
    removedQuery(db, accountId, id),
    withdrawnQuery(db, id),
    receiptsOfRefundQuery(db, id),
    ...creditsQueries(db, accountId),
  ])
  const [row] = rows
  if (row === undefined) throw new Error(`there is no refund ${id}`)
  const subscription = withdrawn[0]?.subscription
  return {
    ...row,
    refunded_cents: refunded[0]?.cents ?? 0,
    issued,
    removed,
    withdrawn: withdrawn.map(({ month }) => toTermMonth(month)),
    subscription,
    kept: subscription ? (await termMonthsQuery(db, subscription.id)).map(toTermMonth) : [],
    loaded: creditsFrom(accountId, credits),
  }
}

function refundOrder(
  deps: Deps,
  { order, issued, refunded_cents }: TransitionFacts,
  refund: StoredRefund,
  { returned = null }: Transition,
  now: number,
): { statements: Statement[]; credit_note_token: string | null } {
  const paid_cents = countedCents(order)
  const status = orderAfterRefund(paid_cents, refunded_cents + refund.amountCents)
  const creditNote = issueCreditNote(deps, issued, { refund, returned, now })
  return {
    statements: [
      ...orderTransitionStatements(deps.db, order, status, {}, now),
      ...(creditNote?.statements ?? []),
    ],
    credit_note_token: creditNote?.token ?? null,
  }
}

const NOTHING = { statements: [], effects: [] }

/** Returns what the request removed: credits to their grants, and months to their term. */
function returned(deps: Deps, facts: TransitionFacts, settled: Credits, status: RefundState, now: number) {
  if (!comesBack(status) || facts.account.deletedAt !== null)
    return { change: unchanged(settled), ...NOTHING }
  const about = { cause: `refund:${facts.refund.id}:returned`, order_id: facts.order.id }
  const credits = giveBack(settled, facts.removed, now, about)
  const months = restoreMonths(facts, now)
  if (months === null) return { change: andThen(credits, (left) => payMonths(left, facts)), ...NOTHING }
  const { id } = months.subscription
  // Writing this transition allows only one of two concurrent changes to a term's months.
  const transition = keepTerm(termOf(months.subscription))
  const { statements, effects } = termTransition(deps, months.subscription, transition, about.cause, now)
  return {
    change: credits,
    effects,
    statements: [
      ...statements,
      ...restoreMonthStatements(deps.db, id, months.dated),
      setPeriodEndStatement(deps.db, id, endOf(months.dated) ?? months.subscription.periodEnd),
    ],
  }
}

/** Restores withdrawn months to their term. Returns null if there are none or the term has ended. */
function restoreMonths({ subscription, kept, withdrawn }: TransitionFacts, now: number) {
  const isOver = (endOf(kept) ?? 0) <= now
  if (subscription === undefined || subscription.endedAt !== null || isOver) return null
  // A month that has started is delivered in this same commit and keeps its dates.
  const held = kept.map((month) => ({ ...month, delivered: month.delivered || month.starts_at <= now }))
  const dated = closeGaps([...held, ...withdrawn]).filter(({ delivered }) => !delivered)
  return { subscription, dated }
}

/** Converts months into credits that never expire if their term ended while the refund was pending. */
function payMonths(credits: Credits, { withdrawn, refund, order }: TransitionFacts): Change {
  const amount = withdrawn.reduce((sum, month) => sum + month.credits, 0)
  if (amount === 0) return unchanged(credits)
  const cause = `refund:${refund.id}:months`
  return grant(credits, { kind: 'adjust', amount, expires_at: null, cause, order_id: order.id })
}
