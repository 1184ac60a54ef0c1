import { and, eq, exists, isNull } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { withdrawals } from '../tables.ts'

export type StoredWithdrawal = typeof withdrawals.$inferSelect

export function insertWithdrawalStatement(db: Database, withdrawal: StoredWithdrawal): Statement {
  return db.insert(withdrawals).values(withdrawal)
}

export function withdrawalQuery(db: Database, accountId: number, id: string) {
  return db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.id, id), eq(withdrawals.accountId, accountId)))
}

/** Confirms a statement. If it was already confirmed, the commit loses the race. */
export function confirmWithdrawalStatements(
  db: Database,
  id: string,
  { refundId, now }: { refundId: string; now: number },
): Statement[] {
  const unconfirmed = db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.id, id), isNull(withdrawals.refundId)))
  return [
    guardStatement(db, exists(unconfirmed)),
    db.update(withdrawals).set({ confirmedAt: now, refundId }).where(eq(withdrawals.id, id)),
  ]
}
