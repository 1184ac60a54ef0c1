import { and, eq, sql } from 'drizzle-orm'
import type { StoredOrder } from '../orders/queries.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { orders, paymentEvents } from '../tables.ts'

/** Finds the order of a payment by the provider's reference. */
export async function findPaidOrder(
  db: Database,
  provider: string,
  payment: string,
): Promise<StoredOrder | undefined> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.provider, provider), eq(orders.providerReference, payment)))
  return order
}

const idOf = (payment: string) => `reversed:${payment}`

/** Records when a payment's dispute was last reversed. */
export function rememberReversalStatement(
  db: Database,
  { provider, payment, at }: { provider: string; payment: string; at: number },
): Statement {
  return db
    .insert(paymentEvents)
    .values({ provider, id: idOf(payment), about: payment, kind: 'dispute', createdAt: at })
    .onConflictDoUpdate({
      target: [paymentEvents.provider, paymentEvents.id],
      set: { createdAt: sql`max(${paymentEvents.createdAt}, excluded.created_at)` },
    })
}

export async function findReversal(
  db: Database,
  provider: string,
  payment: string,
): Promise<number | undefined> {
  const [event] = await db
    .select({ at: paymentEvents.createdAt })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.provider, provider), eq(paymentEvents.id, idOf(payment))))
  return event?.at
}
