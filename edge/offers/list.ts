import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { openProviders } from '../payments/open-providers.ts'
import { loadSettings } from '../settings/queries.ts'
import { loadOffers, quoteBundle } from './quote.ts'
import { viewBundle, viewPack, viewPlan } from './view.ts'

/** Returns the public prices of all plans and packs. */
export async function showPricing(deps: Deps) {
  const now = deps.clock.now()
  const [offers, { tax_included }] = await Promise.all([
    loadOffers(deps, null, now),
    loadSettings(deps.db, now),
  ])
  return {
    packages: offers.packages.map((pack) => viewPack(offers, pack)),
    plans: offers.plans.map((plan) => viewPlan(offers, plan)),
    tax_included,
  }
}

/** Lists packs. The list is empty if no payment provider is configured. */
export async function listPackages(deps: Deps, { account }: SessionCaller) {
  if (deps.payments.length === 0) return []
  const now = deps.clock.now()
  const offers = await loadOffers(deps, account.id, now)
  const purchasable =
    (await isSelling(deps, offers.account)) &&
    (!offers.packs_require_subscription || offers.account?.has_running_term === true)
  return offers.packages.map((pack) => ({ ...viewPack(offers, pack), purchasable }))
}

/**
 * Lists plans at the account's prices. The list is empty while payments are not live or not enabled for the
 * account.
 */
export async function listPlans(deps: Deps, { account }: SessionCaller) {
  const offers = await loadOffers(deps, account.id, deps.clock.now())
  if (!(await isSelling(deps, offers.account))) return []
  return offers.plans.map((plan) => viewPlan(offers, plan))
}

/**
 * Lists the payment providers that are open for new orders. The list is empty under the same conditions as for
 * plans.
 */
export async function listProviders(deps: Deps, { account }: SessionCaller) {
  if (!(await isSelling(deps, account))) return []
  const open = openProviders(deps, await loadSettings(deps.db, deps.clock.now()))
  return open.map(({ name, label, kind }, index) => ({ name, label, kind, is_default: index === 0 }))
}

/** Quotes a bundle. Throws 404 for a plan or pack that is not on sale and 400 for a term that is not sold. */
export async function showBundleQuote(
  deps: Deps,
  { account }: SessionCaller,
  item: { plan_id: number; package_id: number; months: number },
) {
  return viewBundle(quoteBundle(await loadOffers(deps, account.id, deps.clock.now()), item))
}

/** Checks whether the account can buy anything. */
export async function isSelling(deps: Deps, account: { payments_enabled: boolean } | null): Promise<boolean> {
  if (deps.payments.length === 0 || account?.payments_enabled !== true) return false
  return (await loadSettings(deps.db, deps.clock.now())).payments_live
}
