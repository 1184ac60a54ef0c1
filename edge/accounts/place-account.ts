import { hashAddress } from '../account-deletion/address-hash.ts'
import type { Deps } from '../deps.ts'
import { atDatabase, findAnywhere, isSpread, type Place } from '../platform/database/find-place.ts'
import { reservePlace } from '../platform/database/place-queries.ts'
import {
  findAccountByEmail,
  findRetiredAddress,
  insertRetiredAddress,
  type RetiredAddress,
} from './queries.ts'

/**
 * Returns the dependencies for the database in which an address opens its account. It is reserved in the home first, so
 * an address cannot open accounts in two databases at once; an attempt that crashed is completed by the next one.
 */
export async function placeNewAccount(deps: Deps, email: string): Promise<Deps> {
  if (!isSpread(deps)) return deps
  const emailKey = email.toLowerCase()
  const addressHash = await hashAddress(emailKey)
  const registered = await findAnywhere(deps, ({ db }) => findAccountByEmail(db, emailKey))
  if (registered !== null) return registered.deps
  // The address may have received its free credits in an account that was deleted.
  const retired = await findAnywhere(deps, ({ db }) => findRetiredAddress(db, addressHash))
  const [home] = deps.databases
  const number = await reservePlace(home, emailPlaceName(addressHash), pickNumber(deps, emailKey, retired))
  const own = atDatabase(deps, deps.databases[number] ?? home)
  if (retired !== null && retired.deps.db !== own.db) await insertRetiredAddress(own.db, retired.found)
  return own
}

/** Names the place of an address. A hash, because the row outlives the account. */
export function emailPlaceName(addressHash: string): string {
  return `email:${addressHash}`
}

function pickNumber(
  { databases, env }: Deps,
  emailKey: string,
  retired: Place<RetiredAddress> | null,
): number {
  if (env.ADMIN_EMAILS.includes(emailKey)) return 0
  if (retired !== null) return retired.deps.db.$number
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % databases.length
}
