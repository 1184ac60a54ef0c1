import { asc, eq } from 'drizzle-orm'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { SHARED_LIFETIMES, TtlCache } from '../platform/ttl-cache.ts'
import { operations } from '../tables.ts'

export type StoredOperation = typeof operations.$inferSelect

const cache = new TtlCache<'operations', StoredOperation[]>(SHARED_LIFETIMES)

export function loadOperations(db: Database, now: number): Promise<StoredOperation[]> {
  return cache.load(db, 'operations', now, () => readOperations(db))
}

export function forgetOperations(db: Database): void {
  cache.clear(db)
}

export function readOperations(db: Database): Promise<StoredOperation[]> {
  return db.select().from(operations).orderBy(asc(operations.id))
}

export function changeOperationStatement(db: Database, { id, ...change }: StoredOperation): Statement {
  return db.update(operations).set(change).where(eq(operations.id, id))
}

/** Inserts rows for operations that are new in the code. Existing rows stay unchanged. */
export async function seedOperations(db: Pick<Database, 'insert'>): Promise<void> {
  await db
    .insert(operations)
    .values(
      OPERATIONS.map(({ service, key, credits, presets, enabled_by_default = true }) => ({
        serviceSlug: service,
        operationKey: key,
        enabled: enabled_by_default,
        creditsPerCall: credits,
        presets: [...presets],
      })),
    )
    .onConflictDoNothing()
}
