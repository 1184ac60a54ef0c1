import { findUnlisted } from '../../backup/find-unlisted.ts'
import type { OpsDeps } from '../open-deps.ts'
import { checkAccounts } from './check-accounts.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkCopies } from './check-copies.ts'
import { checkDepartures } from './check-departures.ts'
import { checkEvents } from './check-events.ts'
import { checkMoves } from './check-moves.ts'
import { checkOrphans } from './check-orphans.ts'
import { checkPlaces } from './check-places.ts'
import { checkUnique } from './check-unique.ts'

/** Each reads pages of a limited size, so the memory that it takes does not grow with the number of accounts. */
const CHECKS: readonly ((databases: OpsDeps['databases']) => Promise<string[]>)[] = [
  checkMoves,
  checkAccounts,
  checkUnique,
  async (databases) => (await Promise.all(databases.map(checkOrphans))).flat(),
  checkBlocks,
  checkCopies,
  checkPlaces,
  checkDepartures,
  checkEvents,
]

/** Checks that several databases agree with each other. Returns a sentence for each fault, which says what to do. */
export async function verifyDatabases(databases: OpsDeps['databases']): Promise<string[]> {
  const found = (await findUnlisted(databases[0].$client, databases.length)).map(
    (number) =>
      `database ${number}: it can have accounts, but is not in ACCOUNT_DATABASES of this command. Set that as the Worker has it`,
  )
  if (found.length > 0 || databases.length === 1) return found
  for (const check of CHECKS) found.push(...(await checkTwice(() => check(databases))))
  return found
}

/** Keeps the faults that two runs find: an account can move, or an effect be sent, between the reads of two databases. */
async function checkTwice(check: () => Promise<string[]>): Promise<string[]> {
  const first = await check()
  if (first.length === 0) return []
  const again = new Set(await check())
  return first.filter((fault) => again.has(fault))
}
