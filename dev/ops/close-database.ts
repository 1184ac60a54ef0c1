import { setTimeout } from 'node:timers/promises'
import type { Row } from '@libsql/client'
import { OWN_ACCOUNTS } from '../../edge/databases/adopt-restored.ts'
import type { OpsDeps } from './open-deps.ts'

/** Longer than a request that has read the list of databases takes to open an account. */
const SIGN_UP_MS = 30_000

/**
 * Lets no more accounts be placed in the last database, and prepares its removal once it has none.
 * @returns how many accounts have to be moved before
 */
export async function closeDatabase(
  databases: OpsDeps['databases'],
  number: number,
  sign_up_ms = SIGN_UP_MS,
): Promise<number> {
  const [home] = databases
  const last = databases.at(-1)
  if (last === undefined || last.$number !== number || number === 0) {
    throw new Error(
      'Only the last database of ACCOUNT_DATABASES can be removed: the others would change their number.',
    )
  }
  await home.$client.execute({
    sql: 'UPDATE account_databases SET accepts_from = NULL WHERE number = ?',
    args: [number],
  })
  await setTimeout(sign_up_ms)
  const { rows } = await last.$client.execute(
    `SELECT (SELECT count(*) FROM accounts WHERE ${OWN_ACCOUNTS}) AS accounts,
      (SELECT count(*) FROM account_moves) AS moves, (SELECT count(*) FROM outbox) AS effects,
      (SELECT count(*) FROM unmatched_events WHERE settled_at IS NULL) AS events`,
  )
  const { accounts, moves, effects, events } = rows[0] as Row
  if (Number(accounts) > 0) return Number(accounts)
  if (Number(moves) + Number(effects) + Number(events) > 0) {
    throw new Error(
      `Database ${number} still has ${moves} moves, ${effects} effects to send and ${events} unmatched events. Settle the events, and start this command again in a minute.`,
    )
  }
  await home.$client.batch(
    [
      { sql: 'DELETE FROM account_places WHERE database = ?', args: [number] },
      { sql: 'DELETE FROM account_databases WHERE number = ?', args: [number] },
    ],
    'write',
  )
  return 0
}
