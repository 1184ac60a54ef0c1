import { and, eq, inArray } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookSecrets } from '../tables.ts'
import type { Delivery } from './queries.ts'

/** Deletes the endpoints and the secret of an account. A new secret is created on demand. */
export function deleteReceiversStatements(db: Database, accountId: number): Statement[] {
  return [
    db.delete(webhookEndpoints).where(eq(webhookEndpoints.accountId, accountId)),
    db.delete(webhookSecrets).where(eq(webhookSecrets.accountId, accountId)),
  ]
}

/** Deletes deliveries of an account, or only those with a status, and the log of their attempts. */
export function deleteDeliveriesStatements(db: Database, accountId: number, status?: Delivery['status']) {
  const isMeant = and(
    eq(webhookDeliveries.accountId, accountId),
    status && eq(webhookDeliveries.status, status),
  )
  const meant = db.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(isMeant)
  return [
    db.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, meant)),
    db.delete(webhookDeliveries).where(isMeant),
  ] as const
}
