import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits, settleAccount } from '../credits/change-credits.ts'
import { withdrawGrants } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { loadSettings } from '../settings/queries.ts'
import { acknowledgementEffect } from './emails.ts'
import { loadRefundFacts, quoteOf, type RefundFacts, undelivered } from './facts.ts'
import { paysByHand } from './find-provider.ts'
import { payoutEffect } from './payout-effect.ts'
import { insertRefundStatements, removalCause, type StoredRefund } from './queries.ts'
import { findWithdrawalBlock, type RefundQuote } from './rules/refunds.ts'
import { viewRefund } from './view.ts'
import { withdrawStatements } from './withdraw-months.ts'

export interface RefundWish {
  order_id: string
  note?: string | null | undefined
  /** Returns statements that a confirmed withdrawal adds to the commit. No setting refuses a withdrawal. */
  confirms?: (refund: StoredRefund, now: number) => Statement[]
  /** Throws if the refund was already requested. Runs after loading; later changes abort the commit. */
  recheck?: () => Promise<void>
}

/**
 * Requests a refund of an order. One commit removes unspent credits and future months and writes the request; then
 * the outbox asks the provider until it responds. Throws 404, and 409 with the quote's code. Contract: Refund
 * rules.
 */
export async function requestRefund(
  deps: Deps,
  { account }: SessionCaller,
  wish: RefundWish,
  record: RecordAnswer = recordNothing,
) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  if (!settings.refunds_enabled && wish.confirms === undefined) throw new ApiError('refunds_disabled')
  // Delivers due months first, so each month is either delivered or still in the future.
  await settleAccount(deps, account.id)
  return changeCredits(deps, account.id, {
    load: async () => {
      const facts = await loadRefundFacts(deps, account.id, wish.order_id)
      await wish.recheck?.()
      return facts
    },
    decide: (facts, settled, now) => {
      const quote = quoteOf(facts, settled, settings, now)
      const blocked = wish.confirms === undefined ? quote.blocked : findWithdrawalBlock(quote)
      if (blocked) throw new ApiError(blocked)
      const refund = newRefund(deps, facts, quote, wish.note ?? null, now)
      // While another refund is open, this one pays nothing, so credits that came back since then stay.
      const taken = quote.open_refund_id === null ? facts.made : []
      const change = withdrawGrants(
        settled,
        taken.map(({ sequence }) => sequence),
        { cause: removalCause(refund.id), order_id: facts.order.id, note: 'refund' },
      )
      refund.creditsRemoved = settled.balance - change.credits.balance
      const withdrawn = withdrawStatements(deps, facts, refund.id, now)
      const { ends_renewal } = withdrawn
      const own = refundEffects(
        deps,
        facts,
        refund,
        {
          email: account.email,
          locale: account.locale,
          ends_renewal,
          is_declaration: wish.confirms !== undefined,
          // Never sends text typed by a user to an unconfirmed address. We write the text of statements ourselves.
          quotes_note: account.email_verified || wish.confirms !== undefined,
        },
        now,
      )
      const statements = [
        ...insertRefundStatements(deps.db, refund),
        ...withdrawn.statements,
        ...(wish.confirms?.(refund, now) ?? []),
        ...record(viewRefund(deps, refund)),
      ]
      return { change, statements, effects: [...own, ...withdrawn.effects], answer: viewRefund(deps, refund) }
    },
  })
}

/** Returns the row of a refund, before its credits are removed. */
export function newRefund(
  deps: Deps,
  facts: RefundFacts,
  { amount_cents, reason }: RefundQuote,
  note: string | null,
  now: number,
): StoredRefund {
  const { id, accountId, currency, provider } = facts.order
  const isEmpty = amount_cents === 0
  return {
    id: crypto.randomUUID(),
    orderId: id,
    accountId,
    status: isEmpty ? 'succeeded' : paysByHand(deps, provider) ? 'awaiting_payout' : 'requested',
    transitions: 1,
    reason,
    amountCents: amount_cents,
    currency,
    creditsRemoved: 0,
    creditsWithdrawn: undelivered(facts, now).reduce((sum, { credits }) => sum + credits, 0),
    note,
    providerReference: null,
    email: null,
    createdAt: now,
    finishedAt: isEmpty ? now : null,
    nextPollAt: null,
  }
}

/** Returns the acknowledging email, and the request to the provider. */
export function refundEffects(
  deps: Deps,
  facts: RefundFacts,
  refund: StoredRefund,
  received: Parameters<typeof acknowledgementEffect>[3],
  now: number,
): Effect[] {
  const message = acknowledgementEffect(deps, facts.order, refund, received, now)
  return [
    ...(message === null ? [] : [message]),
    ...(refund.status === 'requested' ? [payoutEffect(refund.id)] : []),
  ]
}
