import { and, eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
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

export function confirmWithdrawalStatement(
  db: Database,
  id: string,
  { refundId, now }: { refundId: string; now: number },
): Statement {
  return db.update(withdrawals).set({ confirmedAt: now, refundId }).where(eq(withdrawals.id, id))
}
