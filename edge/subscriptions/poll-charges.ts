import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { handleRenewal } from './handle-event.ts'
import { claimUnreportedMandates } from './queries.ts'
import type { StoredSubscription } from './term-queries.ts'

/** The next run continues with the rest. */
const MANDATES_MAX = 20
const HOUR_MS = 60 * 60 * 1000
/** A charge is polled after this time without an event. After that, it is polled again after each pause. */
const SILENCE_MS = HOUR_MS
const PAUSE_MS = 4 * HOUR_MS

/** Polls providers for unreported charges, because a successful one must not be lost in a closed term. */
export async function askAboutCharges(deps: Deps): Promise<void> {
  const silent = await claimUnreportedMandates(deps.db, {
    now: deps.clock.now(),
    silence_ms: SILENCE_MS,
    pause_ms: PAUSE_MS,
    limit: MANDATES_MAX,
  })
  await settleAll(silent.map((term) => askAboutCharge(deps, term)))
}

async function askAboutCharge(deps: Deps, { provider: name, mandate }: StoredSubscription) {
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (provider === undefined || mandate === null) return
  const charges = await provider.findRenewals(mandate)
  // Handles charges oldest first; the provider lists them newest first. A failed charge is skipped because a retry may
  // have succeeded since. If none did, an event reports it, or the term advances when its charge is overdue.
  for (const reported of charges.filter(({ state }) => state === 'paid').reverse()) {
    await handleRenewal(deps, provider, { event_id: null, occurred_at: deps.clock.now(), reported })
  }
}
