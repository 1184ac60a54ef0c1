import { commit, untilCommitted } from '../../db/commit.ts'
import { creditsFrom, creditsQueries } from '../../db/credits.ts'
import {
  findOrder,
  insertOrderStatements,
  moveOrderStatements,
  openedStatement,
  type StoredOrder,
  waitingOrdersQuery,
} from '../../db/orders.ts'
import { loadSettings } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import type { OpenedCheckout, PaymentProvider } from '../../integrations/payments/provider.ts'
import { reportUnforeseen } from '../../log.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { unchanged } from '../../rules/ledger.ts'
import {
  type Consent,
  type Refusal,
  readConsentLocale,
  refuseConsent,
  refusePack,
  refusePlan,
  refuseRenewal,
  refuseRenewalConsent,
} from '../../rules/orders-purchase.ts'
import { isRunning, type RunningTerm } from '../../rules/terms.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import { isSelling } from '../offers/list.ts'
import { loadOffers, quoteBundle, quotePack, quotePlan } from '../offers/quote.ts'
import type { RecordAnswer } from '../record-answer.ts'
import { describeOrder, makeOrder, type PricedPurchase } from './new-order.ts'
import { pickProvider } from './providers.ts'

/** The provider is asked about each of them for days. */
const WAITING_MAX = 50

interface Given extends Consent {
  provider?: string | undefined
  consent_locale?: unknown
}

export interface CheckoutInput extends Given {
  package_id: number
}

export interface SubscribeInput extends Given {
  plan_id: number
  months: number
  package_id?: number | undefined
  auto_renew: boolean
  accept_recurring: boolean
}

/**
 * Opens an order of a pack. Throws, in this order: 403 where payments are not switched on, 400 without
 * both consents, 400 for a closed rail, 404 for a pack that is not on sale, 409 subscription_required
 * where packs are add-ons. Then there is no order. 502 where the provider fails. Purchase rules 1–6.
 */
export async function checkout(
  deps: Deps,
  caller: SessionCaller,
  input: CheckoutInput,
  record: RecordAnswer,
) {
  const { provider, settings } = await prepare(deps, caller, input, refuseConsent(input))
  const offers = await loadOffers(deps, caller.account.id, deps.clock.now())
  const purchase = { plan: null, pack: quotePack(offers, input.package_id) }
  const refuse = (term: RunningTerm | null, now: number) =>
    refusePack(term, settings.packs_require_subscription, now)
  return openOrder(deps, caller, { purchase, provider, autoRenew: false, input, refuse }, record)
}

/**
 * Opens an order of months of a plan, with a pack beside it in a bundle. Throws as `checkout`, and: 400
 * without accept_recurring, 400 for months that are not sold, 409 where another plan runs, and 409
 * recurring_unavailable. Purchase rules 1–7.
 */
export async function subscribe(
  deps: Deps,
  caller: SessionCaller,
  input: SubscribeInput,
  record: RecordAnswer,
) {
  const { plan_id, package_id, months, auto_renew } = input
  const refusal = refuseConsent(input) ?? refuseRenewalConsent(input)
  const { provider, settings } = await prepare(deps, caller, input, refusal)
  const offers = await loadOffers(deps, caller.account.id, deps.clock.now())
  const purchase =
    package_id === undefined
      ? { plan: quotePlan(offers, plan_id, months), pack: null }
      : quoteBundle(offers, { plan_id, package_id, months })
  const refuse = (term: RunningTerm | null, now: number) => {
    const { recurring_enabled } = settings
    const facts = {
      recurring_enabled,
      holds_mandates: provider.holds_mandates,
      is_bundle: purchase.pack !== null,
    }
    return refusePlan(term, plan_id, now) ?? (auto_renew ? refuseRenewal({ ...facts, term }, now) : null)
  }
  return openOrder(deps, caller, { purchase, provider, autoRenew: auto_renew, input, refuse }, record)
}

async function prepare(deps: Deps, { account }: SessionCaller, input: Given, refusal: Refusal | null) {
  if (!(await isSelling(deps, account))) {
    throw new ApiError(403, 'payments are not enabled for this account yet')
  }
  throwRefusal(refusal)
  const settings = await loadSettings(deps.db, deps.clock.now())
  return { settings, provider: pickProvider(deps, settings, input.provider) }
}

function throwRefusal(refusal: Refusal | null): void {
  if (refusal !== null) throw new ApiError(refusal.status, refusal.detail)
}

interface NewOrder {
  purchase: PricedPurchase
  provider: PaymentProvider
  autoRenew: boolean
  input: Given
  /** What of the term that is held stands against it. */
  refuse: (term: RunningTerm | null, now: number) => Refusal | null
}

/**
 * The order's row is first: whatever the provider does from then on is heard of. What breaks off before the
 * person has an address to pay at costs nothing: such an order expires.
 */
async function openOrder(deps: Deps, caller: SessionCaller, wanted: NewOrder, record: RecordAnswer) {
  const { provider } = wanted
  const { order, balance } = await insertOrder(deps, caller.account.id, wanted)
  const { reference, redirect_url } = await openCheckout(deps, caller, order, provider)
  const answer = { order_id: order.id, redirect_url, status: order.status, provider: provider.name, balance }
  await commit(deps.db, [openedStatement(deps.db, order.id, { reference, redirect_url }), ...record(answer)])
  return answer
}

function insertOrder(
  deps: Deps,
  accountId: number,
  { purchase, provider, autoRenew, input, refuse }: NewOrder,
) {
  return changeCredits(
    deps,
    accountId,
    (grants_max) => loadPurchase(deps, accountId, grants_max),
    ({ loaded: { term }, waiting }, settled, now) => {
      throwRefusal(refuse(term, now))
      if (waiting >= WAITING_MAX) {
        const detail = `${waiting} orders wait to be paid already; pay one, or wait until they expire`
        throw new ApiError(429, detail, { 'Retry-After': '3600' })
      }
      const order = makeOrder(purchase, {
        accountId,
        provider: provider.name,
        extendsTerm: purchase.plan !== null && isRunning(term, now),
        autoRenew,
        consentLocale: readConsentLocale(input.consent_locale),
        now,
      })
      return {
        change: unchanged(settled),
        statements: insertOrderStatements(deps.db, order),
        answer: { order, balance: settled.balance },
      }
    },
  )
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
    throw new ApiError(502, 'the payment provider could not be reached; nothing was charged. Try again later')
  }
}

function failOrder(deps: Deps, id: string): Promise<void> {
  return untilCommitted(async () => {
    const order = await findOrder(deps.db, id)
    if (order?.status !== 'waiting') return
    const statements = moveOrderStatements(deps.db, order, 'failed', { nextPollAt: null }, deps.clock.now())
    await commit(deps.db, statements)
  })
}
