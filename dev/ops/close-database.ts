import { setTimeout } from 'node:timers/promises'
import type { Row } from '@libsql/client'
import { asc, gt } from 'drizzle-orm'
import { noteMailboxStatement } from '../../edge/accounts/mailbox-queries.ts'
import { OWN_ACCOUNTS } from '../../edge/databases/adopt-restored.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'
import { mailboxGrants } from '../../edge/tables.ts'
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
  const change = (sql: string) => home.$client.execute({ sql, args: [number] })
  await change('UPDATE account_databases SET accepts_from = NULL WHERE number = ?')
  await setTimeout(sign_up_ms)
  const before = await countAccounts(last)
  if (before > 0) return before
  // The address of a deleted account, or of a sign-up that crashed, would open its next account there.
  await change('DELETE FROM account_places WHERE database = ?')
  await setTimeout(sign_up_ms)
  const late = await countAccounts(last)
  if (late > 0) return late
  await requireNothingOpen(last)
  await copyMailboxGrants(last, home)
  await change('DELETE FROM account_databases WHERE number = ?')
  return 0
}

async function countAccounts({ $client }: Database): Promise<number> {
  const { rows } = await $client.execute(`SELECT count(*) AS total FROM accounts WHERE ${OWN_ACCOUNTS}`)
  return Number(rows[0]?.total)
}

async function requireNothingOpen({ $client, $number }: Database): Promise<void> {
  const { rows } = await $client.execute(
    `SELECT (SELECT count(*) FROM account_moves) AS moves, (SELECT count(*) FROM outbox) AS effects,
      (SELECT count(*) FROM unmatched_events WHERE settled_at IS NULL) AS events`,
  )
  const { moves, effects, events } = rows[0] as Row
  if (Number(moves) + Number(effects) + Number(events) === 0) return
  throw new Error(
    `Database ${$number} still has ${moves} moves, ${effects} effects to send and ${events} unmatched events. Settle the events, and start this command again in a minute.`,
  )
}

const MAILBOXES_AT_ONCE = 500

/** A mailbox must not receive free credits again because the database that knows of them is gone. */
async function copyMailboxGrants(from: Database, home: Database): Promise<void> {
  const { mailboxHash } = mailboxGrants
  for (let after = ''; ; ) {
    const rows = await from
      .select()
      .from(mailboxGrants)
      .where(gt(mailboxHash, after))
      .orderBy(asc(mailboxHash))
      .limit(MAILBOXES_AT_ONCE)
    await commit(
      home,
      rows.map((row) => noteMailboxStatement(home, row)),
    )
    if (rows.length < MAILBOXES_AT_ONCE) return
    after = rows.at(-1)?.mailboxHash ?? after
  }
}
