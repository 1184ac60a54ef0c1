import { and, desc, eq, sql } from 'drizzle-orm'
import { administratorGuard } from '../accounts/credential-guard.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { audit } from '../tables.ts'

export type AuditRow = typeof audit.$inferSelect
export type AuditEntry = Pick<AuditRow, 'action' | 'target'> & { before: unknown; after: unknown }

/** Returns the id of the next row. */
export async function nextAuditId(db: Database): Promise<number> {
  const last = sql<number>`coalesce(max(${audit.id}), 0)`
  const [row] = await db.select({ last }).from(audit)
  return (row?.last ?? 0) + 1
}

/**
 * Records a change in a commit that requires a live administrator session. Caches trust a revoked session for a few
 * more seconds, but an administrative change is permanent.
 * @param id id of the row. If a concurrent change has already used it, the commit rolls back. Pass null if
 * something else serializes the change.
 */
export function auditStatements(
  db: Database,
  id: number | null,
  { action, target, before, after }: AuditEntry,
  { caller, now }: { caller: SessionCaller; now: number },
): Statement[] {
  return [
    administratorGuard(db, caller),
    db.insert(audit).values({
      ...(id === null ? {} : { id }),
      administratorId: caller.account.id,
      action,
      target,
      before,
      after,
      createdAt: now,
    }),
  ]
}

export interface AuditPage {
  target?: string | undefined
  administrator_id?: number | undefined
  limit: number
  offset: number
}

export function listAudit(db: Database, page: AuditPage): Promise<AuditRow[]> {
  const { target, administrator_id, limit, offset } = page
  return db
    .select()
    .from(audit)
    .where(
      and(
        target === undefined ? undefined : eq(audit.target, target),
        administrator_id === undefined ? undefined : eq(audit.administratorId, administrator_id),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit)
    .offset(offset)
}
