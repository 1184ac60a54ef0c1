import type { Deps } from '../deps.ts'
import type { MandateEvent, RenewalEvent } from '../payments/provider.ts'
import {
  listMatchedEvents,
  listOpenMandateEvents,
  removeStaleEvents,
  settleEventStatement,
  type UnmatchedEvent,
} from '../payments/unmatched-event-queries.ts'
import { commit } from '../platform/database/commit.ts'
import { findElsewhere, isSpread } from '../platform/database/find-place.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { settleAll } from '../platform/settle-all.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { handleMandateEvent, handleRenewal } from './handle-event.ts'
import { findMandate } from './queries.ts'

/** The next run continues with the rest. */
const EVENTS_MAX = 50
/** Longer than an order can wait for its payment. */
const KEPT_MS = 90 * DAY_MS

/**
 * Applies events that arrived before the payment that created their mandate. This is the fallback for
 * `applyEventsOf`.
 */
export async function applyMatchedEvents(deps: Deps): Promise<void> {
  await removeStaleEvents(deps.db, deps.clock.now() - KEPT_MS)
  const events = await listMatchedEvents(deps.db, { limit: EVENTS_MAX })
  if (isSpread(deps) && deps.db === deps.databases[0]) await applyElsewhere(deps)
  const byMandate = Map.groupBy(events, ({ provider, about }) => `${provider}:${about}`)
  await settleAll([...byMandate.values()].map((own) => applyInOrder(deps, own)))
}

/** Applies events that are kept in the home, and whose mandates now belong to terms in other databases. */
async function applyElsewhere(home: Deps): Promise<void> {
  let after: UnmatchedEvent | null = null
  await untilNothingDue(async () => {
    const page: UnmatchedEvent[] = await listOpenMandateEvents(home.db, after, EVENTS_MAX)
    after = page.at(-1) ?? null
    const byMandate = Map.groupBy(page, ({ provider, about }) => `${provider}:${about}`)
    await settleAll(
      [...byMandate.values()].map(async (own) => {
        for (const kept of own) await applyOneElsewhere(home, kept)
      }),
    )
    return page.length === EVENTS_MAX
  })
}

async function applyOneElsewhere(home: Deps, kept: UnmatchedEvent): Promise<void> {
  const { provider, about } = kept
  const place = await findElsewhere(home, about, home.db, ({ db }) => findMandate(db, provider, about))
  if (place === null) return
  // Not in one commit: a repeated event changes nothing.
  await applyEvent(place.deps, { ...kept, id: null })
  const now = home.clock.now()
  await commit(home.db, [settleEventStatement(home.db, kept.id, { outcome: 'applied', note: null, now })])
}

/** Applies the events that were kept for a mandate until its payment arrived. */
export async function applyEventsOf(deps: Deps, provider: string, mandate: string): Promise<void> {
  await applyInOrder(deps, await listMatchedEvents(deps.db, { provider, mandate, limit: EVENTS_MAX }))
}

async function applyInOrder(deps: Deps, events: readonly UnmatchedEvent[]): Promise<void> {
  for (const event of events) await applyEvent(deps, event)
}

/** Applies an event and settles it in the same commit. */
async function applyEvent(
  deps: Deps,
  { id, eventId, provider, occurredAt, event }: Omit<UnmatchedEvent, 'id'> & { id: number | null },
) {
  const reported = event as RenewalEvent | MandateEvent
  const received = { event_id: eventId, occurred_at: occurredAt, ...(id !== null && { kept_id: id }) }
  if (reported.kind === 'renewal') await handleRenewal(deps, { name: provider }, { ...received, reported })
  else await handleMandateEvent(deps, { name: provider }, { ...received, reported })
}
