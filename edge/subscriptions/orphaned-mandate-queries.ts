import { and, eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { orders, paymentEvents } from '../tables.ts'

const idOf = (mandate: string) => `surplus:${mandate}`

interface OrphanedMandate {
  provider: string
  mandate: string
  /** The order whose payment created the mandate. */
  order_id: string
}

/** Records a mandate that is ended on arrival because it renews no term, and turns off the renewal of its order. */
export function recordOrphanedMandateStatements(
  db: Database,
  { provider, mandate, order_id }: OrphanedMandate,
  now: number,
): Statement[] {
  return [
    db
      .insert(paymentEvents)
      .values({ provider, id: idOf(mandate), about: mandate, kind: 'mandate', createdAt: now })
      .onConflictDoNothing(),
    db.update(orders).set({ autoRenew: false }).where(eq(orders.id, order_id)),
  ]
}

export async function isOrphanedMandate(db: Database, provider: string, mandate: string): Promise<boolean> {
  const [event] = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.provider, provider), eq(paymentEvents.id, idOf(mandate))))
  return event !== undefined
}
