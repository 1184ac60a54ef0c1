import { and, asc, eq, isNull } from 'drizzle-orm'
import type { PlanLimits } from '../accounts/rules/limits.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { plans, subscriptions, termMonths } from '../tables.ts'
import type { RunningTerm, TermMonth } from './rules/terms.ts'

export type StoredSubscription = typeof subscriptions.$inferSelect
type StoredMonth = typeof termMonths.$inferSelect

/** Selects an account's open term and its plan. There is at most one. */
export function runningTermQuery(db: Database, accountId: number) {
  return db
    .select({ subscription: subscriptions, plan: plans })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.endedAt)))
}

export type StoredTerm = Awaited<ReturnType<typeof runningTermQuery>>[number]

export function termFrom(
  stored: StoredTerm | undefined,
  undelivered: readonly StoredMonth[],
): RunningTerm | null {
  if (stored === undefined) return null
  const { subscription, plan } = stored
  return {
    id: subscription.id,
    plan_id: plan.id,
    plan_name: plan.name,
    renewal_status: subscription.renewalStatus,
    period_end: subscription.periodEnd,
    grace_until: subscription.graceUntil,
    limits: planLimitsOf(plan),
    undelivered: undelivered.filter((month) => month.subscriptionId === subscription.id).map(toTermMonth),
  }
}

export function planLimitsOf(plan: StoredTerm['plan']): PlanLimits {
  return {
    priority: plan.priority,
    requests_per_minute: plan.requestsPerMinute,
    requests_per_day: plan.requestsPerDay,
    in_flight_max: plan.inFlightMax,
    throttled: plan.throttled,
  }
}

export function toTermMonth(month: StoredMonth): TermMonth {
  return {
    number: month.number,
    order_id: month.orderId,
    credits: month.credits,
    starts_at: month.startsAt,
    ends_at: month.endsAt,
    delivered: month.grantSequence !== null,
  }
}

/** Selects a term's months that are not withdrawn, in order of purchase. */
export function termMonthsQuery(db: Database, subscriptionId: string) {
  return db
    .select()
    .from(termMonths)
    .where(and(eq(termMonths.subscriptionId, subscriptionId), isNull(termMonths.withdrawnBy)))
    .orderBy(asc(termMonths.number))
}

/** Selects the months of the account's open term that are not withdrawn, in chronological order. */
export function heldMonthsQuery(db: Database, accountId: number) {
  return db
    .select({ month: termMonths })
    .from(termMonths)
    .innerJoin(subscriptions, eq(subscriptions.id, termMonths.subscriptionId))
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        isNull(subscriptions.endedAt),
        isNull(termMonths.withdrawnBy),
      ),
    )
    .orderBy(asc(termMonths.startsAt), asc(termMonths.number))
}

export function insertMonthStatements(
  db: Database,
  { id, accountId }: Pick<StoredSubscription, 'id' | 'accountId'>,
  months: readonly TermMonth[],
): Statement[] {
  return months.map((month) =>
    db.insert(termMonths).values({
      subscriptionId: id,
      number: month.number,
      accountId,
      orderId: month.order_id,
      credits: month.credits,
      startsAt: month.starts_at,
      endsAt: month.ends_at,
    }),
  )
}

/** Writes the new dates of months that moved; delivered months keep their dates. */
export function dateMonthStatements(
  db: Database,
  subscriptionId: string,
  months: readonly TermMonth[],
): Statement[] {
  return months
    .filter(({ delivered }) => !delivered)
    .map(({ number, starts_at, ends_at }) =>
      db
        .update(termMonths)
        .set({ startsAt: starts_at, endsAt: ends_at })
        .where(and(eq(termMonths.subscriptionId, subscriptionId), eq(termMonths.number, number))),
    )
}
