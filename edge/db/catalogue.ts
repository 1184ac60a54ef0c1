import { asc } from 'drizzle-orm'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Database } from './client.ts'
import { operations } from './schema.ts'

export type StoredOperation = typeof operations.$inferSelect

/** What administrators changed is in force everywhere within this time. */
const FRESH_MS = 5000
const cached = new WeakMap<Database, { rows: StoredOperation[]; until: number }>()

export async function loadOperations(db: Database, now: number): Promise<StoredOperation[]> {
  const known = cached.get(db)
  if (known && known.until > now) return known.rows
  const rows = await db.select().from(operations).orderBy(asc(operations.id))
  cached.set(db, { rows, until: now + FRESH_MS })
  return rows
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
