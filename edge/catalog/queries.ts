import { asc, eq } from 'drizzle-orm'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Database, Statement } from '../platform/database/client.ts'
import { readSeldom } from '../platform/ttl-cache.ts'
import { operations } from '../tables.ts'

export type StoredOperation = typeof operations.$inferSelect

const remembered = readSeldom(readOperations)

export const loadOperations = remembered.load
export const forgetOperations = remembered.forget

export function readOperations(db: Database): Promise<StoredOperation[]> {
  return db.select().from(operations).orderBy(asc(operations.id))
}

export function changeOperationStatement(db: Database, { id, ...change }: StoredOperation): Statement {
  return db.update(operations).set(change).where(eq(operations.id, id))
}

/** Rows for operations that the code has and the database has not yet; those that are there stay. */
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
