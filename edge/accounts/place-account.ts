import type { Deps } from '../deps.ts'
import { DatabaseUnavailable } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { atDatabase, findAnywhere, isSpread } from '../platform/database/find-place.ts'
import { listAccepting, requireAllKnown } from '../platform/database/known-databases.ts'
import { reservePlace } from '../platform/database/place-queries.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { hashAddress, hashMailbox } from './address-hash.ts'
import { findMailboxGrants, type MailboxGrants, noteMailboxStatement } from './mailbox-queries.ts'
import { emailPlaceName } from './place-names.ts'
import { findAccountByEmail } from './queries.ts'

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
  const registered = await findAnywhere(deps, ({ db }) => findAccountByEmail(db, emailKey))
  if (registered !== null) return registered.deps
  const [received, accepting] = await Promise.all([
    findReceived(deps, emailKey),
    listAccepting(deps.databases, deps.clock.now()),
  ])
  const [home] = deps.databases
  const picked = deps.env.ADMIN_EMAILS.includes(emailKey) ? 0 : pick(accepting)
  const number = await reservePlace(home, emailPlaceName(hashAddress(deps.env, emailKey)), picked)
  const reserved = deps.databases[number]
  if (reserved === undefined)
    throw new DatabaseUnavailable(`an address is reserved for database ${number}, which is not configured`)
  const own = atDatabase(deps, reserved)
  await commit(
    own.db,
    received.map((grants) => noteMailboxStatement(own.db, grants)),
  )
  return own
}

/** Finds what the mailbox received in accounts that were deleted or have another spelling, in any database. */
async function findReceived(deps: Deps, emailKey: string): Promise<MailboxGrants[]> {
  const hashes = hashMailbox(deps.env, emailKey)
  return (await readEverywhere(deps, (db) => findMailboxGrants(db, hashes))).flat()
}

function pick(numbers: readonly number[]): number {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return numbers[random % numbers.length] ?? 0
}
