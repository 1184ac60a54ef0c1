import { type CreditsDecision, changeCredits } from '../credits/change-credits.ts'
import type { Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { rememberEventStatement } from '../orders/queries.ts'
import { keepLateMoney } from '../payments/keep-late-money.ts'
import type { MandateEvent, PaymentProvider, RenewalEvent, VerifiedEvent } from '../payments/provider.ts'
import { carriesMoney } from '../payments/rules/unmatched-events.ts'
import {
  findUnmatchedEvent,
  keepEventStatement,
  settleEventStatement,
} from '../payments/unmatched-event-queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { loadSettings } from '../settings/queries.ts'
import { cancelledEffect, failedEffect } from './emails.ts'
import { endMandateEffect } from './end-mandate.ts'
import { loadRenewal, type RenewalFacts } from './facts.ts'
import { type Fault, handleCharge } from './handle-charge.ts'
import { isOrphanedMandate } from './orphaned-mandate-queries.ts'
import { findMandate } from './queries.ts'
import { endMandate, failCharge, pauseMandate, resumeMandate, type TermTransition } from './rules/renewal.ts'
import type { StoredSubscription } from './term-queries.ts'
import { termOf, termTransition } from './transition.ts'

/** An event from a provider; `event_id` is null if the event was found by polling. */
type ReceivedEvent<Reported> = Pick<VerifiedEvent, 'occurred_at'> & {
  event_id: string | null
  reported: Reported
  /** The row of an event that was kept until its mandate existed. The row is settled in the same commit. */
  kept_id?: number
}

type Provider = Pick<PaymentProvider, 'name'>

/**
 * Handles a mandate's charge event. Events may arrive in any order and any number of times. A successful charge
 * becomes a paid order that extends the term; a failed one starts the grace period. Events of unknown mandates are
 * kept. Contract: Subscriptions, Renewal states.
 */
export async function handleRenewal(
  deps: Deps,
  provider: Provider,
  received: ReceivedEvent<RenewalEvent>,
): Promise<void> {
  const { renewal_grace_days } = await loadSettings(deps.db, deps.clock.now())
  const { reported, occurred_at } = received
  await handleEventOf(deps, provider, received, reported.reference, (facts, settled, now, common) => {
    if (facts.is_known) return nothing(common)
    if (facts.delivery.is_deleted) return refuseDeleted(deps, provider, received, facts, now, common)
    if (reported.state === 'paid') {
      return handleCharge(deps, { reported, occurred_at }, facts, settled, now, common)
    }
    // A later successful charge supersedes this event.
    const isStale = facts.last_charge_at !== null && occurred_at < facts.last_charge_at
    const transition = isStale ? null : failCharge(termOf(facts.subscription), renewal_grace_days)
    if (transition === null) return nothing(common)
    const message = failedEffect(deps, facts, transition, now)
    const reason = `charge:${reported.reference}`
    return applyTransition(deps, facts.subscription, transition, { reason, message, common, now })
  })
}

/** Delivers nothing to a deleted account: its money waits, or is paid back, and the mandate is ended again. */
function refuseDeleted(
  deps: Deps,
  { name: provider }: Provider,
  { reported, event_id, occurred_at }: ReceivedEvent<RenewalEvent>,
  { origin, delivery }: RenewalFacts,
  now: number,
  common: Statement[],
): CreditsDecision<Fault> {
  if (!carriesMoney(reported)) return nothing(common)
  const notice = { order_id: origin.order.id, item_name: origin.order.itemName, locale: delivery.locale }
  const event = event_id === null ? null : { id: event_id, occurred_at }
  const late = keepLateMoney(deps, { provider, reported, event, notice }, now)
  return {
    statements: [...common, ...late.statements],
    effects: [...late.effects, endMandateEffect({ provider, mandate: reported.mandate })],
    answer: 'charged after its account was deleted',
  }
}

/** Handles an event of the mandate itself: the provider paused, resumed or ended it. */
export async function handleMandateEvent(
  deps: Deps,
  provider: Provider,
  received: ReceivedEvent<MandateEvent>,
): Promise<void> {
  const { state } = received.reported
  await handleEventOf(deps, provider, received, '', (facts, _settled, now, common) => {
    const transition = MANDATE_TRANSITIONS[state](termOf(facts.subscription))
    if (transition === null) return nothing(common)
    const message = state === 'cancelled' ? cancelledEffect(deps, facts, now) : null
    const reason = `provider:${state}`
    return applyTransition(
      deps,
      facts.subscription,
      { ...transition, ends_mandate: false },
      { reason, message, common, now },
    )
  })
}

const MANDATE_TRANSITIONS: Record<MandateEvent['state'], typeof endMandate> = {
  paused: pauseMandate,
  resumed: resumeMandate,
  cancelled: endMandate,
}

async function handleEventOf(
  deps: Deps,
  provider: Provider,
  received: ReceivedEvent<RenewalEvent | MandateEvent>,
  reference: string,
  decide: (facts: RenewalFacts, settled: Credits, now: number, common: Statement[]) => CreditsDecision<Fault>,
): Promise<void> {
  const { name } = provider
  const { event_id, reported, kept_id } = received
  const known = await findMandate(deps.db, name, reported.mandate)
  if (known === undefined) return keepEvent(deps, name, received, reference)
  const asked = { ...known, provider: name, event_id, reference }
  const fault = await changeCredits(deps, known.accountId, {
    load: async (grants_max) => {
      const [facts, kept] = await Promise.all([
        loadRenewal(deps, asked, grants_max),
        kept_id === undefined ? undefined : findUnmatchedEvent(deps.db, kept_id),
      ])
      return { ...facts, is_settled: kept !== undefined && kept.outcome !== null }
    },
    decide: (facts, settled, now) => {
      if (facts.is_settled) return nothing([])
      const applied = { outcome: 'applied', note: null, now } as const
      const statements = kept_id === undefined ? [] : [settleEventStatement(deps.db, kept_id, applied)]
      if (facts.is_repeated) return nothing(statements)
      const event = { provider: name, about: reported.mandate, kind: reported.kind, createdAt: now }
      const remembered =
        event_id === null ? [] : [rememberEventStatement(deps.db, { ...event, id: event_id })]
      const common = [...remembered, ...statements]
      return decide(facts, settled, now, common)
    },
  })
  if (fault !== null) reportFault(`the mandate ${reported.mandate}: ${fault}`)
}

/**
 * Keeps an event of a mandate that has no term, because the payment that creates the term may still arrive. For an
 * orphaned mandate that was ended, only payment events are kept.
 */
async function keepEvent(
  deps: Deps,
  provider: string,
  { event_id, occurred_at, reported }: ReceivedEvent<RenewalEvent | MandateEvent>,
  reference: string,
): Promise<void> {
  const { db, clock } = deps
  const { mandate, kind } = reported
  if (!carriesMoney(reported) && (await isOrphan(deps, provider, mandate))) return
  const eventId = event_id ?? `found:${reference}`
  const times = { occurredAt: occurred_at, createdAt: clock.now() }
  await keepEventStatement(db, { provider, eventId, kind, about: mandate, event: reported, ...times })
  if (carriesMoney(reported))
    reportFault(`${provider} charged the mandate ${mandate}, which belongs to no term; the event is stored`)
}

function nothing(statements: readonly Statement[]): CreditsDecision<Fault> {
  return { statements, answer: null }
}

function applyTransition(
  deps: Deps,
  subscription: StoredSubscription,
  transition: TermTransition,
  {
    reason,
    message,
    common,
    now,
  }: { reason: string; message: Effect | null; common: Statement[]; now: number },
): CreditsDecision<Fault> {
  const { statements, effects } = termTransition(deps, subscription, transition, reason, now)
  return {
    statements: [...common, ...statements],
    effects: [...effects, ...(message === null ? [] : [message])],
    answer: null,
  }
}

function reportFault(message: string): void {
  reportUnforeseen(new Error(message), { task: 'handle renewals' })
}

async function isOrphan(deps: Deps, provider: string, mandate: string): Promise<boolean> {
  const ask = async ({ db }: Deps) => ((await isOrphanedMandate(db, provider, mandate)) ? true : null)
  return (await findAnywhere(deps, ask)) !== null
}
