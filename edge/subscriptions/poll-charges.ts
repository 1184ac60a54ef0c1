import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { takeRenewal } from './handle-event.ts'
import { takeSilentMandates } from './queries.ts'
import type { StoredSubscription } from './term-queries.ts'

/** What is not done in one run is done in the next. */
const MANDATES_MAX = 20
const HOUR_MS = 60 * 60 * 1000
/** A charge that nobody told of for so long is asked about, and again at these pauses. */
const SILENCE_MS = HOUR_MS
const PAUSE_MS = 4 * HOUR_MS

/** Asks providers about charges that they should have told of: one that landed must not end in a closed term. */
export async function askAboutCharges(deps: Deps): Promise<void> {
  const silent = await takeSilentMandates(deps.db, {
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
  // The oldest first, as they came. One that failed may have been outdone since: its callback tells, or the
  // charge's absence.
  for (const news of charges.filter(({ state }) => state === 'paid').reverse()) {
    await takeRenewal(deps, provider, { event_id: null, occurred_at: deps.clock.now(), news })
  }
}
