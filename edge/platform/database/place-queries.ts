import { eq } from 'drizzle-orm'
import { accountPlaces } from '../../tables.ts'
import type { Database, Statement } from './client.ts'

/**
 * Reserves a database for a name that can have only one account.
 * @param number the database to reserve, unless the name already has one
 * @returns the number of the reserved database
 */
export async function reservePlace(home: Database, name: string, number: number): Promise<number> {
  const [reserved] = await home
    .insert(accountPlaces)
    .values({ name, database: number })
    // Changes nothing, but returns the row of an earlier reservation.
    .onConflictDoUpdate({ target: accountPlaces.name, set: { name } })
    .returning()
  return reserved?.database ?? number
}

/** Returns a statement that notes the database of names. */
export function notePlacesStatement(home: Database, names: readonly string[], number: number): Statement {
  return home
    .insert(accountPlaces)
    .values(names.map((name) => ({ name, database: number })))
    .onConflictDoUpdate({ target: accountPlaces.name, set: { database: number } })
}

/** Returns the number of the database that is reserved for a name, or to which it moved. */
export async function findNotedNumber(home: Database, name: string): Promise<number | undefined> {
  const [row] = await home.select().from(accountPlaces).where(eq(accountPlaces.name, name))
  return row?.database
}

/** Forgets the database of a name. */
export async function forgetPlace(home: Database, name: string): Promise<void> {
  await home.delete(accountPlaces).where(eq(accountPlaces.name, name))
}
