import { hashAddress } from '../account-deletion/address-hash.ts'
import { type RetiredAddress, retireAddressStatement } from '../account-deletion/queries.ts'
import type { Deps } from '../deps.ts'
import { DatabaseUnavailable } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { atDatabase, findAnywhere, isSpread } from '../platform/database/find-place.ts'
import { listAccepting, requireAllKnown } from '../platform/database/known-databases.ts'
import { reservePlace } from '../platform/database/place-queries.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { emailPlaceName } from './place-names.ts'
import { findAccountByEmail, findRetiredAddress } from './queries.ts'

/**
 * Returns the dependencies for the database in which an address opens its account. It is reserved in the home first, so
 * an address cannot open accounts in two databases; an attempt that crashed is completed by the next one.
 */
export async function placeNewAccount(deps: Deps, email: string): Promise<Deps> {
  if (!isSpread(deps)) {
    await requireAllKnown(deps)
    return deps
  }
  const emailKey = email.toLowerCase()
  const addressHash = await hashAddress(emailKey)
  const registered = await findAnywhere(deps, ({ db }) => findAccountByEmail(db, emailKey))
  if (registered !== null) return registered.deps
  const [retired, accepting] = await Promise.all([
    findRetired(deps, addressHash),
    listAccepting(deps.databases, deps.clock.now()),
  ])
  const [home] = deps.databases
  const picked = deps.env.ADMIN_EMAILS.includes(emailKey) ? 0 : pick(accepting)
  const number = await reservePlace(home, emailPlaceName(addressHash), picked)
  const reserved = deps.databases[number]
  if (reserved === undefined)
    throw new DatabaseUnavailable(`an address is reserved for database ${number}, which is not configured`)
  const own = atDatabase(deps, reserved)
  await commit(
    own.db,
    retired.map((received) => retireAddressStatement(own.db, received)),
  )
  return own
}

/** Finds what the address received in accounts that were deleted, in any database. */
async function findRetired(deps: Deps, addressHash: string): Promise<RetiredAddress[]> {
  const found = await readEverywhere(deps, (db) => findRetiredAddress(db, addressHash))
  return found.flatMap((received) => received ?? [])
}

function pick(numbers: readonly number[]): number {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return numbers[random % numbers.length] ?? 0
}
