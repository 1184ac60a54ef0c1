import { asc, eq } from 'drizzle-orm'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Database, Statement } from './client.ts'
import { operations } from './schema.ts'

export type StoredOperation = typeof operations.$inferSelect

/** What administrators changed is in force everywhere within this time. */
const FRESH_MS = 5000
const cached = new WeakMap<Database, { rows: StoredOperation[]; until: number }>()

export async function loadOperations(db: Database, now: number): Promise<StoredOperation[]> {
  const known = cached.get(db)
  if (known && known.until > now) return known.rows
  const rows = await readOperations(db)
  cached.set(db, { rows, until: now + FRESH_MS })
  return rows
}

export function readOperations(db: Database): Promise<StoredOperation[]> {
  return db.select().from(operations).orderBy(asc(operations.id))
}

/** What this isolate remembers is read again at once. */
export function forgetOperations(db: Database): void {
  cached.delete(db)
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
        presets,
      })),
    )
    .onConflictDoNothing()
}
