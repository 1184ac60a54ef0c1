import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notExists,
  sql,
} from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { numberSuffix } from '../platform/database/ids.ts'
import { jsonText } from '../platform/database/json-text.ts'
import { accounts, emailPreferences, jobs, productNews } from '../tables.ts'
import { makeLinkToken } from '../upload-links/link-token.ts'
import { type EmailTopic, summaryTimes } from './rules/preferences.ts'

export type StoredPreferences = typeof emailPreferences.$inferSelect
export type StoredNews = typeof productNews.$inferSelect
type Choice = Partial<Pick<StoredPreferences, 'jobNotifications' | 'productNews'>>

/** Longer than any job can stay open. */
const JOB_LIFE_MS = 3 * 24 * 60 * 60 * 1000

/** Creates an account's preferences. Existing preferences are not changed. */
export function addPreferencesStatement(db: Database, accountId: number, now: number): Statement {
  const added = { accountId, unsubscribeToken: makeLinkToken() + numberSuffix(db), notifiedAt: now }
  return db.insert(emailPreferences).values(added).onConflictDoNothing()
}

/**
 * Creates default preferences for confirmed accounts that have none. During a rollout, earlier versions of the
 * Worker confirm addresses without creating preferences.
 * @param accountId a single account, or null for all.
 */
export function addMissingPreferencesStatement(db: Database, accountId: number | null): Statement {
  const own = eq(emailPreferences.accountId, accounts.id)
  const known = db.select({ id: emailPreferences.accountId }).from(emailPreferences).where(own)
  const isMissing = and(
    accountId === null ? undefined : eq(accounts.id, accountId),
    isNotNull(accounts.emailVerifiedAt),
    notExists(known),
    isNotMoving(accounts.id),
  )
  return db.insert(emailPreferences).select(sql`
    SELECT ${accounts.id}, 'daily', true, lower(hex(randomblob(24))) || ${numberSuffix(db)}, ${accounts.emailVerifiedAt}, NULL
    FROM ${accounts} WHERE ${isMissing}`)
}

export async function findPreferences(
  db: Database,
  accountId: number,
): Promise<StoredPreferences | undefined> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.accountId, accountId))
  return row
}

const nextDue = (now: number) => {
  const { each, daily } = summaryTimes(now)
  return sql`CASE ${emailPreferences.jobNotifications} WHEN 'each' THEN ${each} WHEN 'daily' THEN ${daily} END`
}

/**
 * Changes the preferences and reschedules a pending summary. Jobs that finished while emails were off are not
 * reported later.
 */
export function changePreferencesStatements(
  db: Database,
  accountId: number,
  choice: Choice,
  now: number,
): Statement[] {
  const own = eq(emailPreferences.accountId, accountId)
  const { jobNotifications, notifiedAt } = emailPreferences
  const reportedUntil = sql`CASE ${jobNotifications} WHEN 'off' THEN ${now} ELSE ${notifiedAt} END`
  return [
    db
      .update(emailPreferences)
      .set({ ...choice, notifiedAt: reportedUntil })
      .where(own),
    db
      .update(emailPreferences)
      .set({ dueAt: nextDue(now) })
      .where(and(own, isNotNull(emailPreferences.dueAt))),
  ]
}

/**
 * Schedules a summary if the account receives summaries and none is scheduled. Commit this together with the end of
 * a job.
 */
export function summaryDueStatements(db: Database, accountId: number, now: number): Statement[] {
  const confirmed = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.emailVerifiedAt)))
  return [
    addMissingPreferencesStatement(db, accountId),
    db
      .update(emailPreferences)
      .set({ dueAt: nextDue(now) })
      .where(
        and(
          inArray(emailPreferences.accountId, confirmed),
          ne(emailPreferences.jobNotifications, 'off'),
          isNull(emailPreferences.dueAt),
        ),
      ),
  ]
}

/** Lists the accounts whose summary is due, with their preferences. */
export function listDueSummaries(db: Database, now: number, limit: number) {
  return db
    .select({ preferences: emailPreferences, account: accounts })
    .from(emailPreferences)
    .innerJoin(accounts, eq(accounts.id, emailPreferences.accountId))
    .where(lte(emailPreferences.dueAt, now))
    .orderBy(asc(emailPreferences.dueAt))
    .limit(limit)
}

interface Period {
  since: number
  until: number
}

const isReported = (accountId: number, since: number) =>
  and(
    eq(jobs.accountId, accountId),
    gt(jobs.createdAt, since - JOB_LIFE_MS),
    eq(jobs.source, 'web'),
    inArray(jobs.status, ['done', 'failed']),
    gt(jobs.finishedAt, since),
  )

/**
 * Loads the newest studio jobs that finished in a period, plus the total number that succeeded and the total number
 * that failed.
 */
export async function loadFinishedJobs(
  db: Database,
  accountId: number,
  { since, until }: Period,
  limit: number,
) {
  const isInPeriod = and(isReported(accountId, since), lte(jobs.finishedAt, until))
  const [newest, totals] = await db.batch([
    db
      .select({
        filename: jsonText(jobs.dispatch, 'filename'),
        operation_key: jobs.operationKey,
        status: jobs.status,
        error: jobs.error,
        failure: jobs.failure,
      })
      .from(jobs)
      .where(isInPeriod)
      .orderBy(desc(jobs.finishedAt))
      .limit(limit),
    db.select({ status: jobs.status, total: count() }).from(jobs).where(isInPeriod).groupBy(jobs.status),
  ])
  const countOf = (status: string) => totals.find((row) => row.status === status)?.total ?? 0
  return { newest, done: countOf('done'), failed: countOf('failed') }
}

/** Records that jobs were reported. The commit loses the race if the summary was sent or rescheduled concurrently. */
export function reportedStatements(
  db: Database,
  { accountId, dueAt, jobNotifications }: StoredPreferences,
  until: number,
  now: number,
): Statement[] {
  const own = eq(emailPreferences.accountId, accountId)
  const unchanged = db
    .select({ id: emailPreferences.accountId })
    .from(emailPreferences)
    .where(
      and(
        own,
        dueAt === null ? isNull(emailPreferences.dueAt) : eq(emailPreferences.dueAt, dueAt),
        eq(emailPreferences.jobNotifications, jobNotifications),
      ),
    )
  const since = db.select({ id: jobs.id }).from(jobs).where(isReported(accountId, until))
  return [
    guardStatement(db, exists(unchanged)),
    db
      .update(emailPreferences)
      .set({ notifiedAt: until, dueAt: sql`CASE WHEN EXISTS ${since} THEN ${nextDue(now)} END` })
      .where(own),
  ]
}

const COLUMNS = { jobs: { jobNotifications: 'off' }, news: { productNews: false } } as const

/** Ends the subscription to a topic. */
export async function endSubscription(db: Database, token: string, topic: EmailTopic): Promise<void> {
  const ended = topic === 'jobs' ? { ...COLUMNS.jobs, dueAt: null } : COLUMNS.news
  await db.update(emailPreferences).set(ended).where(eq(emailPreferences.unsubscribeToken, token))
}

export async function findByToken(db: Database, token: string): Promise<StoredPreferences | undefined> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.unsubscribeToken, token))
  return row
}

export function insertNewsStatement(
  db: Database,
  news: Pick<StoredNews, 'id' | 'messages' | 'createdAt'>,
): Statement {
  return db.insert(productNews).values(news)
}

export async function findUnfinishedNews(db: Database): Promise<StoredNews | undefined> {
  const [row] = await db
    .select()
    .from(productNews)
    .where(isNull(productNews.finishedAt))
    .orderBy(asc(productNews.createdAt))
    .limit(1)
  return row
}

/** Lists the next subscribers to product news, ordered by account id. */
export function listSubscribers(db: Database, { lastAccountId }: StoredNews, limit: number) {
  return db
    .select({
      id: accounts.id,
      email: accounts.email,
      locale: accounts.locale,
      token: emailPreferences.unsubscribeToken,
    })
    .from(emailPreferences)
    .innerJoin(accounts, eq(accounts.id, emailPreferences.accountId))
    .where(
      and(
        gt(emailPreferences.accountId, lastAccountId),
        eq(emailPreferences.productNews, true),
        isNotNull(accounts.emailVerifiedAt),
        isNull(accounts.blockedAt),
      ),
    )
    .orderBy(asc(emailPreferences.accountId))
    .limit(limit)
}

/**
 * Records the last account that received the product news. The commit loses the race if another run got there
 * first.
 */
export function advanceNewsStatements(
  db: Database,
  { id, lastAccountId }: StoredNews,
  next: Pick<StoredNews, 'lastAccountId' | 'finishedAt'>,
): Statement[] {
  const unchanged = db
    .select({ id: productNews.id })
    .from(productNews)
    .where(
      and(
        eq(productNews.id, id),
        eq(productNews.lastAccountId, lastAccountId),
        isNull(productNews.finishedAt),
      ),
    )
  return [
    guardStatement(db, exists(unchanged)),
    db.update(productNews).set(next).where(eq(productNews.id, id)),
  ]
}
