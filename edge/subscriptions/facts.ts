import type { Locale } from '../../shared/text/texts.ts'
import { creditsFrom, creditsQueries, type LoadedCredits } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { type DeliveryFacts, deliveryFactsFrom, deliveryQueries } from '../orders/deliver.ts'
import { paymentEventQuery, type StoredOrder } from '../orders/queries.ts'
import { chargedOrderQuery, lastChargeQuery, originQuery, subscriptionQuery } from './queries.ts'
import type { StoredSubscription } from './term-queries.ts'

/** A term with the data that its emails need. */
export interface NamedTerm {
  subscription: StoredSubscription
  plan_name: string
  email: string
  /** The account's language. */
  locale: Locale
}

/** The facts that determine how a mandate's event is handled. */
export interface RenewalFacts extends NamedTerm {
  /** The order that opened the term, and the current version of its plan. */
  origin: { order: StoredOrder; plan: { periodCredits: number } }
  /** True if the same event was handled before. */
  is_repeated: boolean
  /** True if the charge already has an order. */
  is_known: boolean
  last_charge_at: number | null
  /** Facts about the account's open term. This is a different term if the mandate's original term was closed. */
  delivery: DeliveryFacts
  loaded: LoadedCredits
}

interface Asked {
  id: string
  accountId: number
  provider: string
  event_id: string | null
  reference: string
}

/** Loads the facts in one round trip. */
export async function loadRenewal(
  { db }: Deps,
  { id, accountId, provider, event_id, reference }: Asked,
  grants_max?: number,
): Promise<RenewalFacts> {
  const [own, origins, events, charged, last, person, open, months, ...credits] = await db.batch([
    subscriptionQuery(db, id),
    originQuery(db, id),
    paymentEventQuery(db, provider, event_id ?? ''),
    chargedOrderQuery(db, provider, reference),
    lastChargeQuery(db, accountId, id),
    ...deliveryQueries(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  return {
    ...namedTermFrom(id, [own, origins]),
    is_repeated: events.length > 0,
    is_known: charged.length > 0,
    last_charge_at: last[0]?.at ?? null,
    delivery: deliveryFactsFrom([person, open, months]),
    loaded: creditsFrom(accountId, credits, grants_max),
  }
}

/** Loads a single term with the data that its emails need. */
export async function loadNamedTerm({ db }: Deps, id: string) {
  return namedTermFrom(id, await db.batch([subscriptionQuery(db, id), originQuery(db, id)]))
}

export async function loadTermWithCredits({ db }: Deps, id: string, accountId: number, grants_max?: number) {
  const [own, origins, ...credits] = await db.batch([
    subscriptionQuery(db, id),
    originQuery(db, id),
    ...creditsQueries(db, accountId, grants_max),
  ])
  return { ...namedTermFrom(id, [own, origins]), loaded: creditsFrom(accountId, credits, grants_max) }
}

type Rows<Query extends (...given: never[]) => PromiseLike<unknown>> = Awaited<ReturnType<Query>>

function namedTermFrom(
  id: string,
  [own, origins]: [Rows<typeof subscriptionQuery>, Rows<typeof originQuery>],
) {
  const [subscription] = own
  const [origin] = origins
  if (subscription === undefined || origin === undefined) throw new Error(`there is no term ${id}`)
  return { subscription, origin, plan_name: origin.plan.name, email: origin.email, locale: origin.locale }
}
