import type { Deps } from '../deps.ts'
import { findOrder } from '../orders/queries.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import { findPaidOrder } from '../refunds/dispute-queries.ts'
import { reportedRefundQuery } from '../refunds/queries.ts'
import { findMandate } from '../subscriptions/queries.ts'
import { findPayback } from './payback-queries.ts'
import type { ProviderEvent, RefundEvent } from './provider.ts'
import { paidBackBy } from './rules/payback.ts'

/**
 * Returns the dependencies for the account that an event of a provider is about. The ids of a provider name no database,
 * so all are asked. An event about an unknown order or mandate stays in the home.
 */
export async function atPayment(deps: Deps, provider: string, reported: ProviderEvent): Promise<Deps> {
  const place = await findAnywhere(deps, ({ db }) => findSubject(db, provider, reported))
  return place?.deps ?? deps
}

function findPaidBack(db: Deps['db'], provider: string, reported: RefundEvent) {
  const reference = paidBackBy(reported)
  return reference === null ? undefined : findPayback(db, { provider, reference })
}

async function findSubject(db: Deps['db'], provider: string, reported: ProviderEvent) {
  switch (reported.kind) {
    case 'payment':
      return findOrder(db, reported.order_id)
    case 'refund':
      return (await reportedRefundQuery(db, provider, reported))[0] ?? findPaidBack(db, provider, reported)
    case 'dispute':
      return (
        (await findPaidOrder(db, provider, reported.payment)) ??
        (reported.mandate === null ? undefined : await findMandate(db, provider, reported.mandate))
      )
    case 'renewal':
    case 'mandate':
      return findMandate(db, provider, reported.mandate)
  }
}
