import { and, asc, count, eq, isNull, notInArray, or, sql } from 'drizzle-orm'
import { isNotMoving } from '../platform/database/account-moving.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { storageConnections } from '../tables.ts'

export type StoredConnection = typeof storageConnections.$inferSelect
export type NewConnection = typeof storageConnections.$inferInsert

export function listConnections(db: Database, accountId: number): Promise<StoredConnection[]> {
  return db
    .select()
    .from(storageConnections)
    .where(eq(storageConnections.accountId, accountId))
    .orderBy(asc(storageConnections.name))
}

const isNamed = (accountId: number, name: string) =>
  and(eq(storageConnections.accountId, accountId), eq(storageConnections.name, name))

export async function findConnection(
  db: Database,
  accountId: number,
  name: string,
): Promise<StoredConnection | undefined> {
  const [found] = await db.select().from(storageConnections).where(isNamed(accountId, name))
  return found
}

/** Returns statements that insert a connection unless the account has reached the maximum number by then. */
export function insertConnectionStatements(
  db: Database,
  connection: NewConnection,
  connections_max: number,
): Statement[] {
  const held = db
    .select({ total: count() })
    .from(storageConnections)
    .where(eq(storageConnections.accountId, connection.accountId))
  return [
    guardStatement(db, sql`(${held}) < ${connections_max}`),
    db.insert(storageConnections).values(connection),
  ]
}

export function changeConnectionStatement(
  db: Database,
  { accountId, name }: Pick<StoredConnection, 'accountId' | 'name'>,
  fields: Partial<NewConnection>,
): Statement {
  return db.update(storageConnections).set(fields).where(isNamed(accountId, name))
}

/** Lists connections whose secret was encrypted with none of the given keys, oldest first. */
export function listSealedOtherwise(
  db: Database,
  keys: string[],
  limit: number,
): Promise<StoredConnection[]> {
  return db
    .select()
    .from(storageConnections)
    .where(
      and(
        or(isNull(storageConnections.sealedWith), notInArray(storageConnections.sealedWith, keys)),
        isNotMoving(storageConnections.accountId),
      ),
    )
    .orderBy(asc(storageConnections.id))
    .limit(limit)
}

/** Stores a secret that was encrypted again, unless its owner has changed it since. */
export function resealStatement(
  db: Database,
  { id, sealedSecret }: StoredConnection,
  fields: Partial<Pick<StoredConnection, 'sealedSecret' | 'sealedWith'>>,
): Statement {
  return db
    .update(storageConnections)
    .set(fields)
    .where(and(eq(storageConnections.id, id), eq(storageConnections.sealedSecret, sealedSecret)))
}

export function deleteConnectionStatement(
  db: Database,
  { accountId, name }: Pick<StoredConnection, 'accountId' | 'name'>,
): Statement {
  return db.delete(storageConnections).where(isNamed(accountId, name))
}
