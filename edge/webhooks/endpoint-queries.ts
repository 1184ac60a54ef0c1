import { and, asc, count, eq, exists, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { webhookEndpoints } from '../tables.ts'

export type Endpoint = typeof webhookEndpoints.$inferSelect

/** Fields of an enabled endpoint that determine whether it receives an event. */
export type Subscriber = Pick<Endpoint, 'id' | 'url' | 'events'>

/**
 * Selects the enabled endpoints of an account.
 * @param owner the account's id, or a query that selects it.
 */
export function subscribersQuery(db: Database, owner: number | SQLWrapper) {
  const { id, url, events, accountId, enabled } = webhookEndpoints
  return db
    .select({ id, url, events })
    .from(webhookEndpoints)
    .where(and(eq(accountId, owner), eq(enabled, true)))
}

/** Selects the enabled endpoints of the account of a job as one value. */
export function subscribersField() {
  return sql`(
    SELECT json_group_array(json_object('id', endpoint.id, 'url', endpoint.url, 'events', json(endpoint.events)))
    FROM ${webhookEndpoints} AS endpoint WHERE endpoint.account_id = "jobs"."account_id" AND endpoint.enabled)`.mapWith(
    (text: string): Subscriber[] => JSON.parse(text),
  )
}

/** Lists an account's endpoints, oldest first. */
export function listEndpoints(db: Database, accountId: number): Promise<Endpoint[]> {
  return db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
}

/** Returns an endpoint; undefined if it does not belong to the account. */
export async function findEndpoint(
  db: Database,
  accountId: number,
  id: string,
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.select().from(webhookEndpoints).where(isOwn(accountId, id))
  return endpoint
}

export async function countEndpoints(db: Database, accountId: number): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId))
  return row?.total ?? 0
}

/** Inserts an endpoint. Two concurrent requests cannot exceed the maximum. */
export function insertEndpointStatements(
  db: Database,
  endpoint: Endpoint,
  endpoints_max: number,
): Statement[] {
  const held = sql`(SELECT count(*) FROM ${webhookEndpoints} WHERE ${webhookEndpoints.accountId} = ${endpoint.accountId})`
  return [guardStatement(db, sql`${held} < ${endpoints_max}`), db.insert(webhookEndpoints).values(endpoint)]
}

export function changeEndpointStatement(
  db: Database,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  fields: Partial<Endpoint>,
): Statement {
  return db.update(webhookEndpoints).set(fields).where(isOwn(accountId, id))
}

export function deleteEndpointStatement(
  db: Database,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
): Statement {
  return db.delete(webhookEndpoints).where(isOwn(accountId, id))
}

/** Ends an endpoint's series of failures. */
export function recordSuccessStatement(db: Database, id: string): Statement {
  const isFailing = and(eq(webhookEndpoints.id, id), isNotNull(webhookEndpoints.failingSince))
  return db.update(webhookEndpoints).set({ failingSince: null }).where(isFailing)
}

/** Starts an endpoint's series of failures, unless it has one or its URL has changed since the attempt. */
export function recordFailureStatement(
  db: Database,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  now: number,
): Statement {
  return db
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${now})` })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.url, url)))
}

/** Disables an endpoint, unless the endpoint is already disabled or its URL has changed since the attempt. */
export function disableEndpointStatement(
  db: Database,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  disabledReason: NonNullable<Endpoint['disabledReason']>,
  now: number,
): Statement {
  return db
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason, disabledAt: now })
    .where(isAttempted({ id, url }))
}

/** Makes the commit fail as a lost race if an endpoint is no longer as it was attempted. */
export function attemptedEndpointGuard(db: Database, endpoint: Pick<Endpoint, 'id' | 'url'>): Statement {
  return guardStatement(db, exists(db.select().from(webhookEndpoints).where(isAttempted(endpoint))))
}

function isAttempted({ id, url }: Pick<Endpoint, 'id' | 'url'>) {
  return and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.url, url), eq(webhookEndpoints.enabled, true))
}

function isOwn(accountId: number, id: string) {
  return and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId))
}
