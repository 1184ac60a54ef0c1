import { eq } from 'drizzle-orm'
import { findAccountByEmail } from '../../edge/accounts/queries.ts'
import { changeStatements, loadCredits } from '../../edge/credits/queries.ts'
import { grant } from '../../edge/credits/rules/ledger.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'
import { ledger } from '../../edge/tables.ts'

const CREDITS = 10_000

/**
 * Gives the local administrator credits to try things with, once, as an administrator's adjustment of any
 * account is booked: the daily allowance pays for ten jobs only. Throws when there is no such account.
 */
export async function giveLocalCredits(database_url: string, email: string): Promise<void> {
  const db = openDatabase(database_url, undefined)
  try {
    const account = await findAccountByEmail(db, email)
    if (account === undefined) throw new Error(`there is no account of ${email}`)
    const cause = `local:${account.id}`
    const [given] = await db.select({ id: ledger.sequence }).from(ledger).where(eq(ledger.cause, cause))
    if (given !== undefined) return
    const { credits } = await loadCredits(db, account.id)
    const change = grant(credits, { kind: 'adjust', amount: CREDITS, expires_at: null, cause })
    await commit(db, changeStatements(db, account.id, change, Date.now()))
  } finally {
    db.$client.close()
  }
}
