import type { Locale } from '../../shared/text/texts.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { newDelivery, webhookEffect } from './announce.ts'
import { showDelivery } from './deliveries.ts'
import { requireEndpoint } from './endpoints.ts'
import { insertDeliveriesStatements } from './queries.ts'

/**
 * Sends a test event with a sample job to an endpoint, even a disabled one, and returns the delivery with the outcome.
 * Throws 404.
 */
export async function testEndpoint(deps: Deps, caller: AccountCaller, id: string, locale: Locale) {
  const endpoint = await requireEndpoint(deps, caller, id)
  const facts = { accountId: caller.account.id, subjectId: crypto.randomUUID(), type: 'test' as const }
  const delivery = newDelivery({ ...facts, endpoint, url: endpoint.url, now: deps.clock.now() })
  const decision = {
    statements: insertDeliveriesStatements(deps.db, [delivery]),
    effects: [webhookEffect(delivery.id, delivery.retryUntil)],
    answer: undefined,
  }
  await commitOnce(deps, decision, 'before answer')
  return showDelivery(deps, caller, delivery.id, locale)
}
