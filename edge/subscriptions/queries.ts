import { and, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { accounts, orders, plans, subscriptions, subscriptionTransitions, termMonths } from '../tables.ts'
import { LONG_CYCLE_MONTHS, type NoticeSettings, RENEWING } from './rules/renewal.ts'
import { canTransitionRenewal, type RenewalState } from './rules/states.ts'
import { CHARGE_PATIENCE_MS } from './rules/terms.ts'
import type { StoredSubscription } from './term-queries.ts'

/** Fields that a transition can change in addition to the state. */
export type TermFields = Partial<Pick<StoredSubscription, 'renewsAt' | 'graceUntil' | 'endedAt'>>

/**
 * Changes the state of a term, or records a change within the same state. Only one of two changes from the same
 * state commits; the other loses the race. Throws if the transition is invalid.
 */
export function termTransitionStatements(
  db: Database,
  { id, transitions, renewalStatus: from }: StoredSubscription,
  { renewalStatus, ...fields }: TermFields & { renewalStatus: RenewalState },
  reason: string,
  now: number,
): Statement[] {
  if (renewalStatus !== from && !canTransitionRenewal(from, renewalStatus)) {
    throw new Error(`a term cannot go from ${from} to ${renewalStatus}`)
  }
  const number = transitions + 1
  const endsRenewal = RENEWING.includes(from) && !RENEWING.includes(renewalStatus)
  return [
    db
      .insert(subscriptionTransitions)
      .values({ subscriptionId: id, number, renewalStatus, reason, createdAt: now }),
    db
      .update(subscriptions)
      // Clears the poll time so that a mandate is polled once more when it ends: a charge may have succeeded just
      // before without being reported.
      .set({ ...fields, renewalStatus, transitions: number, ...(endsRenewal ? { chargeAskedAt: null } : {}) })
      .where(eq(subscriptions.id, id)),
  ]
}

export function subscriptionQuery(db: Database, id: string) {
  return db.select().from(subscriptions).where(eq(subscriptions.id, id))
}

/** Selects the term whose renewal a link cancels, and the plan that renews. */
export function linkedTermQuery(db: Database, cancelToken: string) {
  return db
    .select({ subscription: subscriptions, plan_name: plans.name })
    .from(subscriptions)
    .innerJoin(termMonths, and(eq(termMonths.subscriptionId, subscriptions.id), eq(termMonths.number, 1)))
    .innerJoin(orders, eq(orders.id, termMonths.orderId))
    .innerJoin(plans, eq(plans.id, orders.planId))
    .where(eq(subscriptions.cancelToken, cancelToken))
}

export type LinkedTerm = Awaited<ReturnType<typeof linkedTermQuery>>[number]

/** Finds the owner of a mandate, whether its term is open or closed. */
export async function findMandate(db: Database, provider: string, mandate: string) {
  const [found] = await db
    .select({ id: subscriptions.id, accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(and(eq(subscriptions.provider, provider), eq(subscriptions.mandate, mandate)))
  return found
}

/** Selects the order that opened a term, with the current plan and the owner's email address and language. */
export function originQuery(db: Database, subscriptionId: string) {
  return db
    .select({ order: orders, plan: plans, email: accounts.email, locale: accounts.locale })
    .from(termMonths)
    .innerJoin(orders, eq(orders.id, termMonths.orderId))
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .innerJoin(plans, eq(plans.id, orders.planId))
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(eq(termMonths.subscriptionId, subscriptionId))
    .orderBy(termMonths.number)
    .limit(1)
}

/** Selects the order created for a charge, by the provider's reference. */
export function chargedOrderQuery(db: Database, provider: string, reference: string) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.provider, provider), eq(orders.providerReference, reference)))
}

/** Selects the time of a mandate's most recent successful charge. */
export function lastChargeQuery(db: Database, accountId: number, subscriptionId: string) {
  return db
    .select({ at: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.renewalOf, subscriptionId)))
    .orderBy(desc(orders.createdAt))
    .limit(1)
}

/** Lists accounts that have months to deliver, longest waiting first. */
export async function listDueAccounts(db: Database, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ accountId: termMonths.accountId })
    .from(termMonths)
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .where(
      and(
        lte(termMonths.startsAt, now),
        isNull(termMonths.grantSequence),
        isNull(termMonths.withdrawnBy),
        isNull(subscriptions.endedAt),
      ),
    )
    .orderBy(termMonths.startsAt)
    .limit(limit)
  return [...new Set(rows.map(({ accountId }) => accountId))]
}

const isOpen = isNull(subscriptions.endedAt)
const isActive = and(isOpen, eq(subscriptions.renewalStatus, 'active'))

/** Lists terms that must advance because time has passed (rules/renewal.ts). Advancing changes every one of them. */
export function listOverdueTerms(db: Database, now: number, limit: number) {
  const { renewalStatus, renewsAt, periodEnd, graceUntil, chargeAskedAt } = subscriptions
  const isGraceOver = or(isNull(graceUntil), lte(graceUntil, now))
  // A charge counts as missing only after its provider was polled.
  const isMissing = and(lte(renewsAt, now - CHARGE_PATIENCE_MS), lte(renewsAt, chargeAskedAt))
  return db
    .select({ id: subscriptions.id, accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(
      or(
        and(isActive, isMissing),
        // Repeats the due-date condition of failed charges so that the index can be used.
        and(isOpen, eq(renewalStatus, 'past_due'), lte(renewsAt, now), lte(graceUntil, now)),
        and(isOpen, sql`${renewalStatus} <> 'active'`, lte(periodEnd, now), isGraceOver),
      ),
    )
    .orderBy(periodEnd)
    .limit(limit)
}

/** Lists terms with an active mandate. */
export function listRenewingTerms(db: Database, limit: number) {
  return db
    .select({ id: subscriptions.id, accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(and(isOpen, inArray(subscriptions.renewalStatus, [...RENEWING])))
    .limit(limit)
}

/** Lists terms of blocked accounts that have an active mandate. */
export function listBlockedTerms(db: Database, limit: number) {
  return db
    .select({ id: subscriptions.id, accountId: subscriptions.accountId })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(
      and(
        sql`${accounts.blockedAt} IS NOT NULL`,
        isOpen,
        inArray(subscriptions.renewalStatus, [...RENEWING]),
      ),
    )
    .limit(limit)
}

/** Lists terms whose next charge is within the notice period and has not been announced yet. */
export function listTermsToNotice(db: Database, settings: NoticeSettings, now: number, limit: number) {
  const { renewsAt, renewalMonths, noticedFor } = subscriptions
  const longest = now + settings.subscriptions_renewal_notice_days_annual * DAY_MS
  const short = now + settings.subscriptions_renewal_notice_days_short * DAY_MS
  return db
    .select({ id: subscriptions.id, accountId: subscriptions.accountId })
    .from(subscriptions)
    .where(
      and(
        isActive,
        gt(renewsAt, now),
        lte(renewsAt, Math.max(longest, short)),
        sql`${renewsAt} <= CASE WHEN ${renewalMonths} >= ${LONG_CYCLE_MONTHS} THEN ${longest} ELSE ${short} END`,
        sql`${noticedFor} IS NOT ${renewsAt}`,
      ),
    )
    .orderBy(renewsAt)
    .limit(limit)
}

/** Records that a charge was announced. A concurrent run loses the race. */
export function noticeStatements(
  db: Database,
  { id, transitions, renewalStatus, renewsAt }: StoredSubscription,
  now: number,
): Statement[] {
  const number = transitions + 1
  return [
    db
      .insert(subscriptionTransitions)
      .values({ subscriptionId: id, number, renewalStatus, reason: 'notice', createdAt: now }),
    db
      .update(subscriptions)
      .set({ noticedFor: renewsAt, transitions: number })
      .where(eq(subscriptions.id, id)),
  ]
}

/**
 * Claims mandates whose charge is overdue and either unreported or being retried, and claims each ended mandate
 * once. Schedules their next poll.
 */
export function claimUnreportedMandates(
  db: Database,
  { now, silence_ms, pause_ms, limit }: { now: number; silence_ms: number; pause_ms: number; limit: number },
) {
  const { renewsAt, renewalStatus, chargeAskedAt, mandate } = subscriptions
  const isSilent = and(
    isOpen,
    lte(renewsAt, now - silence_ms),
    sql`${renewalStatus} IN ('active', 'past_due')`,
    or(isNull(chargeAskedAt), lte(chargeAskedAt, now - pause_ms)),
  )
  // Must match the expression of its index.
  const hasEnded = sql`(${mandate} IS NOT NULL AND ${chargeAskedAt} IS NULL AND ${renewalStatus} IN ('cancelling', 'ended'))`
  const silent = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(or(isSilent, hasEnded), isNotMoving(subscriptions.accountId)))
    .orderBy(sql`${chargeAskedAt} NULLS FIRST`)
    .limit(limit)
  return db
    .update(subscriptions)
    .set({ chargeAskedAt: now })
    .where(sql`${subscriptions.id} IN ${silent}`)
    .returning()
}
