import { commit, untilCommitted } from '../../db/commit.ts'
import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import {
  listDueAccounts,
  listOverdueTerms,
  listTermsToNotice,
  noticeStatements,
  takeSilentMandates,
} from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { unchanged } from '../../rules/ledger.ts'
import { isNoticeDue, noticePeriodMs, passTime } from '../../rules/subscriptions.ts'
import { changeCredits, settleAccount } from '../credits/settle.ts'
import { settleAll } from '../outbox/dispatch.ts'
import { carryOut } from '../outbox/resend.ts'
import { loadNamedTerm, loadTermWithCredits } from './facts.ts'
import { failedEffect, noticeEffect } from './letters.ts'
import { moveTerm, termOf } from './move.ts'
import { takeRenewal } from './news.ts'

/** What is not done in one run is done in the next. */
const TERMS_MAX = 50

/** Delivers the months that have begun of accounts that nobody uses at the moment. */
export async function deliverDueMonths(deps: Deps): Promise<void> {
  const accounts = await listDueAccounts(deps.db, deps.clock.now(), TERMS_MAX)
  await settleAll(accounts.map((id) => settleAccount(deps, id)))
}

/**
 * Moves on the terms that time alone moves: charges that never came, grace that is over, terms that are.
 * A term that closes delivers what was due in the same commit.
 */
export async function moveOverdueTerms(deps: Deps): Promise<void> {
  const overdue = await listOverdueTerms(deps.db, deps.clock.now(), TERMS_MAX)
  await settleAll(overdue.map((term) => moveOverdueTerm(deps, term)))
}

async function moveOverdueTerm(deps: Deps, { id, accountId }: Pick<StoredSubscription, 'id' | 'accountId'>) {
  const { renewal_grace_days } = await loadSettings(deps.db, deps.clock.now())
  const effects = await changeCredits(
    deps,
    accountId,
    (grants_max) => loadTermWithCredits(deps, id, accountId, grants_max),
    (facts, settled, now) => {
      const { subscription } = facts
      const isOpen = subscription.endedAt === null
      const move = isOpen ? passTime(termOf(subscription), renewal_grace_days, now) : null
      if (move === null) return { change: unchanged(settled), statements: [], answer: [] }
      const { statements, effects } = moveTerm(deps, subscription, move, 'time', now)
      const letter = move.renewal_status === 'past_due' ? failedEffect(deps, facts, move, now) : null
      const letters = letter === null ? [] : [letter]
      return {
        change: unchanged(settled),
        statements: [...statements, ...letters.map((each) => effectStatement(deps.db, each, now))],
        answer: [...effects, ...letters],
      }
    },
  )
  for (const effect of effects) deps.defer(carryOut(deps, effect))
}

/** Tells of charges that are about to come, each once. Specification: Events, 5. */
export async function noticeRenewals(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const terms = await listTermsToNotice(deps.db, await loadSettings(deps.db, now), now, TERMS_MAX)
  await settleAll(terms.map(({ id }) => noticeRenewal(deps, id)))
}

async function noticeRenewal(deps: Deps, id: string): Promise<void> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const letter = await untilCommitted(async () => {
    const now = deps.clock.now()
    const term = await loadNamedTerm(deps, id)
    const { subscription, origin } = term
    const { renewsAt, noticedFor, renewalMonths, endedAt } = subscription
    const cycle = { months: renewalMonths ?? 1, period_days: origin.order.periodDays ?? 0 }
    const noticed = { ...termOf(subscription), noticed_for: noticedFor }
    if (endedAt !== null || renewsAt === null) return null
    if (!isNoticeDue(noticed, noticePeriodMs(cycle, settings), now)) return null
    const effect = noticeEffect(deps, term, renewsAt)
    const letters = effect === null ? [] : [effectStatement(deps.db, effect, now)]
    await commit(deps.db, [...noticeStatements(deps.db, subscription, now), ...letters])
    return effect
  })
  if (letter !== null) deps.defer(carryOut(deps, letter))
}

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
    limit: TERMS_MAX,
  })
  await settleAll(silent.map((term) => askAboutCharge(deps, term)))
}

async function askAboutCharge(deps: Deps, { provider: name, mandate, startedAt }: StoredSubscription) {
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (provider === undefined || mandate === null) return
  const charges = await provider.findRenewals(mandate)
  // The oldest first, so that each is taken as it came.
  for (const news of charges.reverse()) {
    await takeRenewal(deps, provider, { event_id: null, occurred_at: deps.clock.now(), news })
  }
}
