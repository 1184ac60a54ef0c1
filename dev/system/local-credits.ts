import { eq } from 'drizzle-orm'
import { findAccountByEmail } from '../../edge/accounts/queries.ts'
import { changeStatements, loadCredits } from '../../edge/credits/queries.ts'
import { grant } from '../../edge/credits/rules/ledger.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'
import { ledger } from '../../edge/tables.ts'

const CREDITS = 10_000

/**
 * Grants credits to the local administrator once, as an `adjust` ledger entry, because the daily allowance covers
 * only ten jobs.
 * @throws if no account has this email
 */
export async function grantLocalCredits(database_url: string, email: string): Promise<void> {
  const db = openDatabase(database_url, undefined)
  try {
    const account = await findAccountByEmail(db, email)
    if (account === undefined) throw new Error(`No account has the email ${email}.`)
    const cause = `local:${account.id}`
    const [existing] = await db.select({ id: ledger.sequence }).from(ledger).where(eq(ledger.cause, cause))
    if (existing !== undefined) return
    const { credits } = await loadCredits(db, account.id)
    const change = grant(credits, { kind: 'adjust', amount: CREDITS, expires_at: null, cause })
    await commit(db, changeStatements(db, account.id, change, Date.now()))
  } finally {
    db.$client.close()
  }
}
