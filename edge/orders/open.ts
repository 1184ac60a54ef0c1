import { requireAuthorized } from '../accounts/authorized-work.ts'
import { credentialGuard } from '../accounts/credential-guard.ts'
import { findAccount } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { loadLegalTexts } from '../legal/load-texts.ts'
import { type LegalText, listAccepted } from '../legal/rules/documents.ts'
import { reportUnforeseen } from '../log.ts'
import type { OpenedCheckout, PaymentProvider } from '../payments/provider.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { isRunning, type RunningTerm } from '../subscriptions/rules/terms.ts'
import { closeCheckoutEffect } from './close-checkout.ts'
import { describeOrder, makeOrder, type PricedPurchase } from './new-order.ts'
import {
  findOrder,
  insertOrderStatements,
  openedStatement,
  orderTransitionStatements,
  type StoredOrder,
  sameStateGuard,
  waitingOrdersQuery,
} from './queries.ts'
import { type PurchaseRefusal, readConsentLocale } from './rules/purchase.ts'

/** Limits the open orders of an account, because the provider is polled about each one for days. */
const WAITING_MAX = 50

export interface NewOrder {
  purchase: PricedPurchase
  provider: PaymentProvider
  autoRenew: boolean
  consent_locale: unknown
  /** Checks the purchase against the current term. Returns null if the purchase is allowed. */
  refuse: (term: RunningTerm | null, now: number) => PurchaseRefusal | null
}

/**
 * Opens an order and its checkout. Writes the row first, so any later event can find it. If a failure occurs before
 * the customer has a checkout URL, nothing is charged, and the order fails or expires.
 */
export async function openOrder(deps: Deps, caller: SessionCaller, wanted: NewOrder, record: RecordAnswer) {
  const { provider } = wanted
  const { order, balance } = await insertOrder(deps, caller, wanted, await loadLegalTexts(deps))
  const { reference, redirect_url } = await openCheckout(deps, caller, order, provider)
  const answer = { order_id: order.id, redirect_url, status: order.status, provider: provider.name, balance }
  await recordCheckout(deps, order.id, { reference, redirect_url }, record(answer))
  return answer
}

/** Records a checkout. If the account was deleted while it was opened, closes it at the provider. */
function recordCheckout(deps: Deps, id: string, opened: OpenedCheckout, statements: readonly Statement[]) {
  return unitOfWork(deps, {
    load: async () => {
      const order = await findOrder(deps.db, id)
      return { order, account: order && (await findAccount(deps.db, order.accountId)) }
    },
    decide: ({ order, account }) => {
      const isDeleted = account === undefined || account.deletedAt !== null
      return {
        statements: [
          openedStatement(deps.db, id, opened),
          ...(order === undefined ? [] : [sameStateGuard(deps.db, order)]),
          ...statements,
        ],
        effects: isDeleted ? [closeCheckoutEffect(id, 'opened')] : [],
        answer: undefined,
      }
    },
  })
}

function insertOrder(
  deps: Deps,
  caller: SessionCaller,
  { purchase, provider, autoRenew, consent_locale, refuse }: NewOrder,
  texts: readonly LegalText[],
) {
  const accountId = caller.account.id
  const consentLocale = readConsentLocale(consent_locale)
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      await requireAuthorized(deps, caller)
      return loadPurchase(deps, accountId, grants_max)
    },
    decide: ({ loaded: { term }, waiting }, settled, now) => {
      requireAllowed(refuse(term, now))
      if (waiting >= WAITING_MAX) throw new ApiError('too_many_unpaid_orders', { waiting })
      const order = makeOrder(purchase, {
        accountId,
        provider: provider.name,
        extendsTerm: purchase.plan !== null && isRunning(term, now),
        autoRenew,
        consentLocale,
        acceptedDocuments: listAccepted(texts, consentLocale ?? 'en'),
        now,
      })
      return {
        statements: [credentialGuard(deps.db, caller), ...insertOrderStatements(deps.db, order)],
        answer: { order, balance: settled.balance },
      }
    },
  })
}

async function loadPurchase({ db }: Deps, accountId: number, grants_max?: number) {
  const [waiting, ...credits] = await db.batch([
    waitingOrdersQuery(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  return { waiting: waiting[0]?.total ?? 0, loaded: creditsFrom(accountId, credits, grants_max) }
}

async function openCheckout(
  deps: Deps,
  { account }: SessionCaller,
  order: StoredOrder,
  provider: PaymentProvider,
): Promise<OpenedCheckout> {
  const { id, months, periodDays, autoRenew } = order
  try {
    return await provider.openCheckout({
      order_id: id,
      description: describeOrder(order),
      amount_cents: order.amountCents,
      currency: order.currency,
      email: account.email,
      locale: order.consentLocale,
      return_url: `${deps.env.PUBLIC_URL}/billing/return?order_id=${id}`,
      renews_every_days: autoRenew && months !== null && periodDays !== null ? months * periodDays : null,
    })
  } catch (error) {
    reportUnforeseen(error, { task: `open the checkout of ${id}` })
    await failOrder(deps, id)
    throw new ApiError('payment_provider_unavailable')
  }
}

function failOrder(deps: Deps, id: string): Promise<void> {
  return unitOfWork(deps, {
    load: () => findOrder(deps.db, id),
    decide: (order, now) => {
      if (order?.status !== 'waiting') return { answer: undefined }
      const statements = orderTransitionStatements(deps.db, order, 'failed', { nextPollAt: null }, now)
      return { statements, answer: undefined }
    },
  })
}

/** Throws if a purchase rule refused the order. */
export function requireAllowed(refusal: PurchaseRefusal | null): void {
  if (refusal !== null) throw toError(refusal)
}
