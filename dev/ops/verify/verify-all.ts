import type { OpsDeps } from '../open-deps.ts'
import { verifyLedgers } from '../verify-ledgers.ts'
import { verifyDatabases } from './verify-databases.ts'
import { verifyReceipts } from './verify-receipts.ts'

/** Checks the ledgers of each database, the numbers of receipts, and that several databases agree. Returns a sentence for each fault. */
export async function verifyAll(databases: OpsDeps['databases']): Promise<string[]> {
  const ledgers = await Promise.all(databases.map(verifyLedgers))
  // Receipts of an account that moved are numbered in the series of another database.
  const receipts = databases.length === 1 ? await verifyReceipts(databases[0]) : []
  return [...ledgers.flat(), ...receipts, ...(await verifyDatabases(databases))]
}
