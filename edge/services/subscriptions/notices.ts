import { commit, untilCommitted } from '../../db/commit.ts'
import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import { listTermsToNotice, noticeStatements } from '../../db/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { isNoticeDue, noticePeriodMs } from '../../rules/subscriptions.ts'
import { carryOut } from '../outbox/resend.ts'
import { settleAll } from '../settle-all.ts'
import { loadNamedTerm } from './facts.ts'
import { noticeEffect } from './letters.ts'
import { termOf } from './move.ts'

/** What is not done in one run is done in the next. */
const TERMS_MAX = 50

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
