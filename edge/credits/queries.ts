import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import type { RunningTerm } from '../subscriptions/rules/terms.ts'
import { termFrom } from '../subscriptions/term-queries.ts'
import {
  accounts,
  allocations,
  BURN_ORDER,
  grants,
  ledger,
  orders,
  plans,
  subscriptions,
  termMonths,
} from '../tables.ts'
import { grantAllocationsQuery } from './grant-allocation-query.ts'
import type { Change, Credits, Entry } from './rules/ledger.ts'

export const ALL_GRANTS = 1_000_000_000

/**
 * Builds the queries whose results `creditsFrom` combines, for use in a batch with other queries.
 * @param grants_max limits how many live grants are loaded, in spending order; all by default.
 */
export function creditsQueries(db: Database, accountId: number, grants_max = ALL_GRANTS) {
  return [
    db
      .select({
        sequence: lastEntry(accountId, 'sequence'),
        balance: lastEntry(accountId, 'balance_after'),
        // Filters by entry type, not by grant kind. A refund of expired credits also creates a daily_free grant, which
        // must not delay the next allowance.
        until: sql<number | null>`(SELECT max("expires_at") FROM ${ledger}
          WHERE "account_id" = ${accountId} AND entry_type = 'daily_free')`,
        verifiedAt: accounts.emailVerifiedAt,
        dailyFreeFrom: accounts.dailyFreeFrom,
        subscription: subscriptions,
        plan: plans,
        month: termMonths,
      })
      .from(accounts)
      .leftJoin(subscriptions, and(eq(subscriptions.accountId, accounts.id), isNull(subscriptions.endedAt)))
      .leftJoin(plans, eq(plans.id, subscriptions.planId))
      .leftJoin(
        termMonths,
        and(
          eq(termMonths.accountId, accountId),
          eq(termMonths.subscriptionId, subscriptions.id),
          isNull(termMonths.grantSequence),
          isNull(termMonths.withdrawnBy),
        ),
      )
      .where(eq(accounts.id, accountId))
      .orderBy(asc(termMonths.startsAt)),
    db
      .select({
        sequence: grants.sequence,
        kind: grants.kind,
        left: grants.left,
        expires_at: grants.expiresAt,
      })
      .from(grants)
      .where(and(eq(grants.accountId, accountId), sql`"left" > 0`))
      .orderBy(...BURN_ORDER, grants.sequence)
      .limit(grants_max),
  ] as const
}

/** Selects a field of an account's last ledger entry; null if it has none. */
function lastEntry(accountId: number, field: 'sequence' | 'balance_after') {
  return sql<number | null>`(SELECT ${sql.raw(field)} FROM ${ledger}
    WHERE "account_id" = ${accountId} ORDER BY "sequence" DESC LIMIT 1)`
}

type Answers<Queries extends readonly PromiseLike<unknown>[]> = {
  -readonly [Index in keyof Queries]: Awaited<Queries[Index]>
}

/** An account's credits as stored, with the facts that determine whether an allowance is due. */
export interface LoadedCredits {
  account_id: number
  credits: Credits
  /** True if more grants may exist. They are all spent after the loaded ones. */
  partial: boolean
  /** Earliest time of the next daily allowance; null if it can land at once. */
  allowance_until: number | null
  email_verified: boolean
  /** The open term, if any. */
  term: RunningTerm | null
}

export function creditsFrom(
  accountId: number,
  [rows, live]: Answers<ReturnType<typeof creditsQueries>>,
  grants_max = ALL_GRANTS,
): LoadedCredits {
  const [account] = rows
  const { subscription, plan } = account ?? {}
  const stored = subscription && plan ? { subscription, plan } : undefined
  const undelivered = rows.flatMap(({ month }) => month ?? [])
  return {
    account_id: accountId,
    credits: {
      sequence: account?.sequence ?? 0,
      balance: account?.balance ?? 0,
      grants: live,
    },
    partial: live.length >= grants_max,
    allowance_until: latest(account?.until, account?.dailyFreeFrom),
    email_verified: (account?.verifiedAt ?? null) !== null,
    term: termFrom(stored, undelivered),
  }
}

function latest(...times: (number | null | undefined)[]): number | null {
  const known = times.filter((time) => time !== null && time !== undefined)
  return known.length === 0 ? null : Math.max(...known)
}

export async function loadCredits(
  db: Database,
  accountId: number,
  grants_max = ALL_GRANTS,
): Promise<LoadedCredits> {
  return creditsFrom(accountId, await db.batch([...creditsQueries(db, accountId, grants_max)]), grants_max)
}

/** Returns the statements that append a change's entries and update its grants. */
export function changeStatements(db: Database, accountId: number, change: Change, now: number): Statement[] {
  return change.entries.flatMap((entry) => [
    db.insert(ledger).values({
      accountId,
      sequence: entry.sequence,
      entryType: entry.entry_type,
      amount: entry.amount,
      balanceAfter: entry.balance_after,
      expiresAt: entry.expires_at,
      jobId: entry.job_id,
      orderId: entry.order_id,
      note: entry.note,
      cause: entry.cause,
      createdAt: now,
    }),
    ...(entry.grant
      ? [
          db.insert(grants).values({
            accountId,
            sequence: entry.grant.sequence,
            kind: entry.grant.kind,
            amount: entry.grant.left,
            left: entry.grant.left,
            expiresAt: entry.grant.expires_at,
            grantedAt: now,
          }),
        ]
      : []),
    ...(entry.delivers ? deliverStatements(db, entry, entry.delivers) : []),
    ...entry.allocations.flatMap(({ grant_sequence, amount }) => [
      db.insert(allocations).values({
        accountId,
        sequence: entry.sequence,
        grantSequence: grant_sequence,
        amount,
      }),
      db
        .update(grants)
        .set({ left: sql`${grants.left} + ${amount}` })
        .where(and(eq(grants.accountId, accountId), eq(grants.sequence, grant_sequence))),
    ]),
  ])
}

/** Writes a delivered month and makes its plan the current one. That plan's limits apply until the next month. */
function deliverStatements(
  db: Database,
  { sequence, order_id }: Entry,
  { subscription_id, number }: NonNullable<Entry['delivers']>,
): Statement[] {
  const planId = db
    .select({ id: orders.planId })
    .from(orders)
    .where(eq(orders.id, order_id ?? ''))
  return [
    db
      .update(termMonths)
      .set({ grantSequence: sequence })
      .where(and(eq(termMonths.subscriptionId, subscription_id), eq(termMonths.number, number))),
    db
      .update(subscriptions)
      .set({ planId: sql`(${planId})` })
      .where(eq(subscriptions.id, subscription_id)),
  ]
}

/** Selects the current grants that a job was charged to, with the amounts. */
export function takenByJobQuery(db: Database, accountId: number, jobId: string) {
  return grantAllocationsQuery(
    db,
    and(
      eq(ledger.jobId, jobId),
      eq(ledger.accountId, accountId),
      inArray(ledger.entryType, ['debit', 'refund']),
    ),
  )
}
