import { and, desc, eq, sql } from 'drizzle-orm'
import { administratorGuard } from '../accounts/credential-guard.ts'
import { STAND_IN } from '../accounts/queries.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, audit } from '../tables.ts'

export type AuditRow = typeof audit.$inferSelect
export type AuditEntry = Pick<AuditRow, 'action' | 'target'> & { before: unknown; after: unknown }

/** Returns the id of the next row. */
export async function nextAuditId(db: Database): Promise<number> {
  // Another database numbers its rows in a block of its own, from which it may not have used an id yet.
  const last =
    db.$number === 0
      ? sql<number>`coalesce(max(${audit.id}), 0)`
      : sql<number>`max(coalesce(max(${audit.id}), 0), (SELECT seq FROM sqlite_sequence WHERE name = 'audit'))`
  const [row] = await db.select({ last }).from(audit)
  return (row?.last ?? 0) + 1
}

/**
 * Records a change in a commit that requires a live administrator session. Caches trust a revoked session for a few
 * more seconds, but an administrative change is permanent.
 * In another database than the home, where administrators are, the use case checks the session before each commit.
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
    db.$number === 0 ? administratorGuard(db, caller) : insertStandIn(db, caller, now),
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

/** Inserts a blocked account with the id of an administrator of the home, so that the log can refer to it. */
function insertStandIn(db: Database, { account: { id } }: SessionCaller, now: number): Statement {
  const name = `${STAND_IN}${id}`
  return db
    .insert(accounts)
    .values({ id, publicKey: name, email: name, emailKey: name, blockedAt: now, createdAt: now })
    .onConflictDoNothing()
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
