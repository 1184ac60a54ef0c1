import { and, asc, desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Locale } from '../../shared/text/texts.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { type FilteredList, readPage } from '../platform/database/filtered-list.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { accounts, outbox, webhookAttempts, webhookDeliveries, webhookEndpoints } from '../tables.ts'
import type { Endpoint } from './endpoint-queries.ts'
import type { EventType } from './rules/events.ts'

export type Delivery = typeof webhookDeliveries.$inferSelect
export type NewDelivery = typeof webhookDeliveries.$inferInsert
export type StoredAttempt = typeof webhookAttempts.$inferSelect

/** Maximum rows per statement. Keeps the parameters within the database's limit when a large batch is canceled. */
const ROWS_MAX = 500

export function insertDeliveriesStatements(db: Database, deliveries: readonly NewDelivery[]): Statement[] {
  const statements: Statement[] = []
  for (let start = 0; start < deliveries.length; start += ROWS_MAX) {
    statements.push(db.insert(webhookDeliveries).values(deliveries.slice(start, start + ROWS_MAX)))
  }
  return statements
}

/** Delivery with its endpoint. The endpoint is null if there is none or it was deleted. */
export interface FoundDelivery {
  delivery: Delivery
  /** Language of the account; English after its deletion. */
  locale: Locale
  endpoint: Endpoint | null
}

export async function findDelivery(db: Database, id: string): Promise<FoundDelivery | undefined> {
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, locale: accounts.locale })
    .from(webhookDeliveries)
    .leftJoin(accounts, eq(accounts.id, webhookDeliveries.accountId))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(eq(webhookDeliveries.id, id))
  return found && { ...found, locale: found.locale ?? 'en' }
}

/**
 * Lists due webhook effects in rounds: the oldest effect of every account, then the second oldest of each, and so
 * on. Within an account, receivers take turns in the same way. Accounts are in random order; if they were sorted by
 * age, accounts with slow receivers would come first.
 */
export function listDueWebhooks(db: Database, now: number, limit: number) {
  const receiver = sql`coalesce(${webhookDeliveries.endpointId}, ${webhookDeliveries.url})`
  const due = db
    .select({
      id: outbox.id,
      dueAt: outbox.dueAt,
      accountId: sql<number | null>`${webhookDeliveries.accountId}`.as('account'),
      receiver: sql<string | null>`${receiver}`.as('receiver'),
      turn: sql`row_number() OVER (
        PARTITION BY ${webhookDeliveries.accountId}, ${receiver} ORDER BY ${outbox.dueAt}
      )`.as('receiver_turn'),
    })
    .from(outbox)
    // Includes effects whose delivery was deleted; those only need to be acknowledged.
    .leftJoin(webhookDeliveries, sql`${webhookDeliveries.id} = ${outbox.payload} ->> 'delivery_id'`)
    .where(and(lte(outbox.dueAt, now), eq(outbox.kind, 'webhook')))
    .as('due')
  const turns = db
    .select({
      id: due.id,
      accountId: due.accountId,
      receiver: due.receiver,
      turn: sql`row_number() OVER (
        PARTITION BY ${due.accountId} ORDER BY ${due.turn}, ${due.dueAt}
      )`.as('turn'),
    })
    .from(due)
    .as('turns')
  return db
    .select({ id: turns.id, accountId: turns.accountId, receiver: turns.receiver })
    .from(turns)
    .orderBy(sql`${turns.turn}, random()`)
    .limit(limit)
}

export interface DeliveryFilter {
  endpoint_id?: string | undefined
  status?: Delivery['status'] | undefined
  type?: EventType | undefined
  job_id?: string | undefined
  batch_id?: string | undefined
}

/** Returns the list of an account's deliveries that match a filter. */
export function filterDeliveries(
  accountId: number,
  { endpoint_id, status, type, job_id, batch_id }: DeliveryFilter,
): FilteredList<typeof webhookDeliveries> {
  const { accountId: owner, endpointId, subjectId } = webhookDeliveries
  // Jobs and batches share no ids.
  const narrower = [
    endpoint_id === undefined ? undefined : eq(endpointId, endpoint_id),
    job_id === undefined ? undefined : eq(subjectId, job_id),
    batch_id === undefined ? undefined : eq(subjectId, batch_id),
  ].filter((condition) => condition !== undefined)
  return {
    table: webhookDeliveries,
    // The unary plus keeps SQLite from reading all deliveries of the account to find those of one job.
    indexed: narrower.length > 0 ? and(sql`+${owner} = ${accountId}`, ...narrower) : eq(owner, accountId),
    matches: (row) => and(status && eq(row.status, status), type && eq(row.type, type)),
    fields: [webhookDeliveries.status, webhookDeliveries.type],
    scanned_max: 20_000,
  }
}

/** Selects deliveries by a query of their ids, newest first. */
export function deliveriesQuery(db: Database, ids: SQL) {
  return db
    .select()
    .from(webhookDeliveries)
    .where(sql`${webhookDeliveries.id} IN (${ids})`)
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
}

/** Reads a page of an account's deliveries, newest first. */
export function readDeliveriesPage(
  db: Database,
  accountId: number,
  filter: DeliveryFilter,
  span: Span,
): Promise<Page<Delivery>> {
  return readPage(db, filterDeliveries(accountId, filter), span, {
    select: (ids) => deliveriesQuery(db, ids),
    placeOf: ({ id, createdAt }) => ({ at: createdAt, id }),
  })
}

export function changeDeliveryStatement(db: Database, id: string, fields: Partial<Delivery>): Statement {
  return db.update(webhookDeliveries).set(fields).where(eq(webhookDeliveries.id, id))
}

/** Changes a delivery like `changeDeliveryStatement`, but does nothing if a replay has restarted the attempts. */
export function recordOutcomeStatement(
  db: Database,
  { id, retryUntil }: Delivery,
  fields: Partial<Delivery>,
): Statement {
  return db
    .update(webhookDeliveries)
    .set(fields)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.retryUntil, retryUntil)))
}

export function insertAttemptStatement(db: Database, attempt: Omit<StoredAttempt, 'id'>): Statement {
  return db.insert(webhookAttempts).values(attempt)
}

/** Lists the latest attempts of a delivery, oldest first. */
export async function listAttempts(
  db: Database,
  deliveryId: string,
  limit: number,
): Promise<StoredAttempt[]> {
  const latest = db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(desc(webhookAttempts.id))
    .limit(limit)
    .as('latest')
  return db.select().from(latest).orderBy(asc(latest.id))
}
