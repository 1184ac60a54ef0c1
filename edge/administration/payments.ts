import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { type Credits, unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { deliverOrder } from '../orders/deliver.ts'
import { viewOrder } from '../orders/list.ts'
import { type ListedOrder, placeOfPayment, readPaymentsPage } from '../orders/list-queries.ts'
import { loadPayment, type PaymentFacts } from '../orders/load-payment.ts'
import { refusalEffects } from '../orders/payment-emails.ts'
import { findOrder, orderTransitionStatements, type StoredOrder, sameMoneyGuard } from '../orders/queries.ts'
import { type Bought, boughtBy, creditsOf, holdsAllHalves, shareOf } from '../orders/rules/delivery.ts'
import { countedCents, surplusCents } from '../orders/rules/payment.ts'
import type { OrderState } from '../orders/rules/states.ts'
import { settleSurplus } from '../orders/settle-surplus.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import { readPageEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import type { Span } from '../platform/rules/paging.ts'
import { requireAdministrator } from './audit.ts'
import { auditStatements, nextAuditId } from './audit-queries.ts'

/** Lists payments from all accounts, newest first. */
export async function showPayments(
  deps: Deps,
  {
    payment_status: status,
    has_surplus,
    ...span
  }: Span & { payment_status?: OrderState | undefined; has_surplus?: boolean | undefined },
) {
  const { rows, next } = await readPageEverywhere(
    deps,
    span,
    ({ db }, part) => readPaymentsPage(db, { status, has_surplus }, part),
    placeOfPayment,
  )
  return { rows: rows.map((row) => viewPayment(deps, row)), next }
}

function viewPayment(deps: Deps, row: ListedOrder & { email: string }) {
  const { order, email } = row
  return {
    ...viewOrder(deps, row),
    account_id: order.accountId,
    email,
    refused_cents: order.refusedCents,
    surplus_cents: surplusCents(order),
    surplus_credited_cents: order.surplusCreditedCents,
    provider_reference: order.providerReference,
    terms_version: order.termsVersion,
    accepted_documents: order.acceptedDocuments,
    consent_locale: order.consentLocale,
  }
}

interface Resolution {
  action: 'full_grant' | 'pro_rata_grant' | 'refuse' | 'credit_surplus' | 'return_surplus'
  note?: string | undefined
}

/**
 * Resolves an underpayment: delivers everything, the paid share in whole credits, or nothing. Resolves a surplus:
 * adds credits for it, or records that it was paid back. Throws 404, and 409 if the order is not partially paid or
 * has no surplus, or if the money is less than the price of one credit.
 */
export async function resolvePayment(
  asked: Deps,
  caller: SessionCaller,
  id: string,
  { action, note }: Resolution,
  record: RecordAnswer,
) {
  const place = await findAnywhere(asked, ({ db }) => findOrder(db, id))
  if (place === null) throw new ApiError('order_not_found')
  const { deps, found } = place
  const { accountId } = found
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      const [audit_id, payment] = await Promise.all([
        nextAuditId(deps.db),
        loadPayment(deps, accountId, { id, grants_max }),
        requireAdministrator(deps, caller),
      ])
      return { audit_id, ...payment }
    },
    decide: (facts, settled, now) => {
      const { order, delivery, audit_id } = facts
      const resolved = resolve(deps, action, facts, settled, now)
      // The number of a receipt that is issued now is known after the commit.
      const shown = { order: resolved.order, email: delivery.buyer.email, receipt: null, further: [] }
      const answer = viewPayment(deps, shown)
      const entry = {
        action: 'payment.resolve',
        target: `order:${id}`,
        before: { status: order.status, actually_paid_cents: order.actuallyPaidCents },
        after: {
          status: resolved.order.status,
          action,
          credits: resolved.credits,
          surplus_cents: surplusCents(order),
          note: note ?? null,
        },
      }
      return {
        change: resolved.change,
        statements: [
          sameMoneyGuard(deps.db, order),
          ...resolved.statements,
          ...auditStatements(deps.db, audit_id, entry, { caller, now }),
          ...record(answer),
        ],
        effects: resolved.effects,
        answer,
      }
    },
  })
}

function resolve(
  deps: Deps,
  action: Resolution['action'],
  facts: PaymentFacts,
  settled: Credits,
  now: number,
) {
  const { order, delivery } = facts
  if (action === 'credit_surplus' || action === 'return_surplus') {
    return settleSurplus(deps, action, facts, settled, now)
  }
  if (order.status !== 'partially_paid') {
    throw new ApiError('order_not_partially_paid', { status: order.status })
  }
  if (action === 'refuse') {
    const fields = { nextPollAt: null, refusedCents: order.actuallyPaidCents }
    return {
      order: { ...order, ...fields, status: 'refused' as const },
      change: unchanged(settled),
      statements: orderTransitionStatements(deps.db, order, 'refused', fields, now),
      effects: refusalEffects(deps, order, delivery, now),
      credits: 0,
    }
  }
  const bought = action === 'full_grant' ? boughtBy(order) : requireCredits(order)
  // A partial payment was in crypto currency, without tax of the provider.
  const payment = { mandate: null, charged: null, paid_cents: countedCents(order), bought }
  const { change, statements, effects, extended } = deliverOrder(deps, order, delivery, settled, now, payment)
  const undeliveredCents = action === 'full_grant' ? 0 : order.amountCents - countedCents(order)
  const fields = { creditedAt: now, extendsTerm: extended, nextPollAt: null, undeliveredCents }
  return {
    order: { ...order, ...fields, status: 'paid' as const },
    change,
    statements: [...orderTransitionStatements(deps.db, order, 'paid', fields, now), ...statements],
    effects,
    credits: creditsOf(bought),
  }
}

function requireCredits(order: StoredOrder): Bought {
  const part = shareOf(boughtBy(order), countedCents(order), order.amountCents)
  if (holdsAllHalves(part)) return part
  throw new ApiError('payment_below_one_credit')
}
