import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * Selects a text of a JSON column. Decodes it here: the database fails on half a surrogate pair, which JSON can
 * contain as an escape.
 */
export function jsonText(column: SQLWrapper, name: string): SQL<string> {
  return sql<string>`${column} -> ${sql.raw(`'${name}'`)}`.mapWith((json: string) =>
    String(JSON.parse(json)).toWellFormed(),
  )
}
