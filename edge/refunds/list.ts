import type { SessionCaller } from '../accounts/rules/caller.ts'
import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { loadSettings } from '../settings/queries.ts'
import { loadRefundFacts, quoteOf } from './facts.ts'
import { paysByHand } from './find-provider.ts'
import { listRefunds } from './queries.ts'
import { viewQuote, viewRefund } from './view.ts'

/** Quotes the refund of an order. Throws 404. Contract: Refunds, Refund quote. */
export async function showRefundQuote(deps: Deps, { account }: SessionCaller, orderId: string) {
  await settleAccount(deps, account.id)
  const [settings, facts] = await Promise.all([
    loadSettings(deps.db, deps.clock.now()),
    loadRefundFacts(deps, account.id, orderId),
  ])
  const quote = quoteOf(facts, facts.loaded.credits, settings, deps.clock.now())
  const how = { enabled: settings.refunds_enabled, payout_manual: paysByHand(deps, facts.order.provider) }
  return viewQuote(facts.order, quote, how)
}

/** Lists an account's refund requests, newest first. */
export async function listOwnRefunds(
  deps: Deps,
  { account }: SessionCaller,
  page: { limit: number; offset: number },
) {
  const rows = await listRefunds(deps.db, { accountId: account.id, ...page })
  return rows.map(({ refund, creditNote }) => viewRefund(deps, refund, creditNote))
}
