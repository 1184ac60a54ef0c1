import { type SQL, sql } from 'drizzle-orm'
import { commitGuards } from '../../tables.ts'
import type { Database, Statement } from './client.ts'

/** Makes the commit fail as a lost race unless the condition is true. */
export function guardStatement(db: Database, condition: SQL): Statement {
  return db.insert(commitGuards).select(sql`SELECT 0 WHERE (${condition}) IS NOT TRUE`)
}
