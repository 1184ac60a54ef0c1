import { accountPlaces } from '../../tables.ts'
import type { Database } from './client.ts'

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

/** Changes the database of a name. */
export async function movePlace(home: Database, name: string, number: number): Promise<void> {
  await home
    .insert(accountPlaces)
    .values({ name, database: number })
    .onConflictDoUpdate({ target: accountPlaces.name, set: { database: number } })
}
