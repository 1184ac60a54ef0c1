import { asc, eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { allowedOrigins } from '../tables.ts'

/** Lists the origins that an account allows, in alphabetical order. */
export async function listOrigins(db: Database, accountId: number): Promise<string[]> {
  const rows = await db
    .select({ origin: allowedOrigins.origin })
    .from(allowedOrigins)
    .where(eq(allowedOrigins.accountId, accountId))
    .orderBy(asc(allowedOrigins.origin))
  return rows.map(({ origin }) => origin)
}

/** Selects a row if any account allows the given origin. */
export function originListedQuery(db: Database, origin: string) {
  return db
    .select({ origin: allowedOrigins.origin })
    .from(allowedOrigins)
    .where(eq(allowedOrigins.origin, origin))
    .limit(1)
}

export function replaceOriginsStatements(
  db: Database,
  accountId: number,
  origins: readonly string[],
): Statement[] {
  return [
    db.delete(allowedOrigins).where(eq(allowedOrigins.accountId, accountId)),
    ...(origins.length === 0
      ? []
      : [db.insert(allowedOrigins).values(origins.map((origin) => ({ accountId, origin })))]),
  ]
}
