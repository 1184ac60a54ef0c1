import { z } from 'zod'
import { changeStatements, loadCredits } from '../../edge/credits/queries.ts'
import { grant } from '../../edge/credits/rules/ledger.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'
import type { Client } from '../client.ts'

/** More than any script spends. */
const CREDITS = 10_000_000

/**
 * Adds credits to the account of a client in the form of an administrator's adjustment.
 * @returns the account and its new balance
 */
export async function addCredits(
  db: Database,
  client: Client,
): Promise<{ account_id: number; balance: number }> {
  const ping = await (await client.send('GET', '/api/v1/me/ping')).json()
  const { account_id } = z.looseObject({ account_id: z.int() }).parse(ping)
  const { credits } = await loadCredits(db, account_id)
  const change = grant(credits, {
    kind: 'adjust',
    amount: CREDITS,
    expires_at: null,
    cause: `script:${account_id}`,
  })
  await commit(db, changeStatements(db, account_id, change, Date.now()))
  return { account_id, balance: credits.balance + CREDITS }
}
