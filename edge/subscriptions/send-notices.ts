import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { noticeEffect } from './emails.ts'
import { loadNamedTerm } from './facts.ts'
import { listTermsToNotice, noticeStatements } from './queries.ts'
import { isNoticeDue, noticePeriodMs } from './rules/renewal.ts'
import { termOf } from './transition.ts'

/** The next run continues with the rest. */
const TERMS_MAX = 50

/** Announces each upcoming charge by email, once. Contract: Notifications, Emails. */
export async function noticeRenewals(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const terms = await listTermsToNotice(deps.db, await loadSettings(deps.db, now), now, TERMS_MAX)
  await settleAll(terms.map(({ id }) => noticeRenewal(deps, id)))
}

async function noticeRenewal(deps: Deps, id: string): Promise<void> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  await unitOfWork(deps, {
    load: () => loadNamedTerm(deps, id),
    decide: (term, now) => {
      const { subscription, origin } = term
      const { renewsAt, noticedFor, renewalMonths, endedAt } = subscription
      const cycle = { months: renewalMonths ?? 1, period_days: origin.order.periodDays ?? 0 }
      const noticed = { ...termOf(subscription), noticed_for: noticedFor }
      if (endedAt !== null || renewsAt === null) return { answer: null }
      if (!isNoticeDue(noticed, noticePeriodMs(cycle, settings), now)) return { answer: null }
      const effect = noticeEffect(deps, term, renewsAt)
      return {
        statements: noticeStatements(deps.db, subscription, now),
        effects: effect === null ? [] : [effect],
        answer: null,
      }
    },
  })
}
