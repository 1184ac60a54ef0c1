import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { jobs, outbox, webhookDeliveries, webhookSecrets } from '../tables.ts'

export type Delivery = typeof webhookDeliveries.$inferSelect
type NewDelivery = typeof webhookDeliveries.$inferInsert
export type WebhookSecret = typeof webhookSecrets.$inferSelect
type WebhookSecretRow = Pick<WebhookSecret, 'accountId' | 'secret' | 'createdAt'>

/** Stores the account's secret unless the account already has one. */
export function ensureSecretStatement(db: Database, secret: WebhookSecretRow): Statement {
  return db.insert(webhookSecrets).values(secret).onConflictDoNothing()
}

/** Replaces the secret and keeps the previous one. */
export function replaceSecretStatement(db: Database, row: WebhookSecretRow): Statement {
  const { secret, createdAt } = row
  return db
    .insert(webhookSecrets)
    .values(row)
    .onConflictDoUpdate({
      target: webhookSecrets.accountId,
      set: { secret, previousSecret: webhookSecrets.secret, createdAt },
    })
}

export async function findSecret(db: Database, accountId: number): Promise<WebhookSecret> {
  const [stored] = await db.select().from(webhookSecrets).where(eq(webhookSecrets.accountId, accountId))
  if (stored === undefined) throw new Error('the webhook secret was not written')
  return stored
}

export function insertDeliveryStatement(db: Database, delivery: NewDelivery): Statement {
  return db.insert(webhookDeliveries).values(delivery)
}

export function findDelivery(db: Database, id: string): Promise<Delivery | undefined> {
  return db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).get()
}

export async function findDeliveryWithJob(db: Database, id: string) {
  const [found] = await db
    .select({ delivery: webhookDeliveries, job: jobs })
    .from(webhookDeliveries)
    .innerJoin(jobs, eq(jobs.id, webhookDeliveries.jobId))
    .where(eq(webhookDeliveries.id, id))
  return found
}

/**
 * Lists due webhook effects in rounds: the oldest effect of every account, then the second oldest of each, and so
 * on. Accounts are in random order; if they were sorted by age, accounts with slow receivers would come first.
 */
export function listDueWebhooks(db: Database, now: number, limit: number) {
  const turns = db
    .select({
      id: outbox.id,
      accountId: webhookDeliveries.accountId,
      turn: sql`row_number() OVER (
        PARTITION BY ${webhookDeliveries.accountId} ORDER BY ${outbox.dueAt}
      )`.as('turn'),
    })
    .from(outbox)
    // Includes effects whose delivery was deleted; those only need to be acknowledged.
    .leftJoin(webhookDeliveries, sql`${webhookDeliveries.id} = ${outbox.payload} ->> 'delivery_id'`)
    .where(and(lte(outbox.dueAt, now), eq(outbox.kind, 'webhook')))
    .as('turns')
  return db
    .select({ id: turns.id, accountId: turns.accountId })
    .from(turns)
    .orderBy(sql`${turns.turn}, random()`)
    .limit(limit)
}

/** Lists deliveries, newest first. */
export function listDeliveries(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Delivery[]> {
  return db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.accountId, accountId))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit)
    .offset(offset)
}

export function changeDeliveryStatement(db: Database, id: string, fields: Partial<Delivery>): Statement {
  return db.update(webhookDeliveries).set(fields).where(eq(webhookDeliveries.id, id))
}

/** Changes a delivery like `changeDeliveryStatement`, but does nothing if a replay has restarted the attempts. */
export function recordAttemptStatement(
  db: Database,
  { id, retryUntil }: Delivery,
  fields: Partial<Delivery>,
): Statement {
  return db
    .update(webhookDeliveries)
    .set(fields)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.retryUntil, retryUntil)))
}
