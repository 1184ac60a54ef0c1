import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { favorites, operations } from '../tables.ts'

/** Selects an account's favorites in order, with each tool's keys. */
export function listFavorites(db: Database, accountId: number) {
  return db
    .select({
      operationId: favorites.operationId,
      serviceSlug: operations.serviceSlug,
      operationKey: operations.operationKey,
      position: favorites.position,
      createdAt: favorites.createdAt,
    })
    .from(favorites)
    .innerJoin(operations, eq(operations.id, favorites.operationId))
    .where(eq(favorites.accountId, accountId))
    .orderBy(asc(favorites.position), asc(favorites.createdAt), asc(favorites.operationId))
}

export type StoredFavorite = Awaited<ReturnType<typeof listFavorites>>[number]

/** Pins a tool at the end of the list. An existing favorite keeps its position. */
export async function insertFavorite(db: Database, accountId: number, operationId: number, now: number) {
  const last = sql<number>`(SELECT coalesce(max(position) + 1, 0) FROM favorites WHERE account_id = ${accountId})`
  await db
    .insert(favorites)
    .values({ accountId, operationId, position: last, createdAt: now })
    .onConflictDoNothing()
}

export async function deleteFavorite(db: Database, accountId: number, operationId: number): Promise<void> {
  await db.delete(favorites).where(isFavorite(accountId, operationId))
}

export function moveFavoriteStatement(
  db: Database,
  accountId: number,
  operationId: number,
  position: number,
) {
  return db.update(favorites).set({ position }).where(isFavorite(accountId, operationId))
}

function isFavorite(accountId: number, operationId: number) {
  return and(eq(favorites.accountId, accountId), eq(favorites.operationId, operationId))
}
