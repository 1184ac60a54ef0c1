import type { OpsDeps } from '../open-deps.ts'
import { verifyLedgers } from '../verify-ledgers.ts'
import { verifyDatabases } from './verify-databases.ts'

/** Checks the ledgers of each database, and that several databases agree. Returns a sentence for each fault. */
export async function verifyAll(databases: OpsDeps['databases']): Promise<string[]> {
  const ledgers = await Promise.all(databases.map(verifyLedgers))
  return [...ledgers.flat(), ...(await verifyDatabases(databases))]
}
