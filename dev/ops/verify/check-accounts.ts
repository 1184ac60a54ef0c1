import type { Database } from '../../../edge/platform/database/client.ts'
import { type AccountCopy, judgeAccount } from './judge-account.ts'
import { type FoundRow, groupByKey } from './read-pages.ts'

const COLUMNS = `SELECT a.id AS key, a.email_key GLOB 'administrator:*' AS is_stand_in,
  a.email_key GLOB 'left:*' AS is_hidden, m.state, m.target
  FROM accounts a LEFT JOIN account_moves m ON m.account_id = a.id`

/** Finds accounts that are not active in exactly one database. */
export async function checkAccounts(databases: readonly Database[]): Promise<string[]> {
  const found: string[] = []
  for await (const group of groupByKey(databases, `${COLUMNS} WHERE a.id > ? ORDER BY a.id LIMIT ?`, -1)) {
    const id = Number(group[0]?.row.key)
    // An account may move while the databases are read one after the other.
    if (judgeAccount(id, group.map(toCopy)) === null) continue
    const fault = judgeAccount(id, await readCopies(databases, id))
    if (fault !== null) found.push(fault)
  }
  return found
}

async function readCopies(databases: readonly Database[], id: number): Promise<AccountCopy[]> {
  const found = await Promise.all(
    databases.map(async ({ $client, $number }) => {
      const { rows } = await $client.execute({ sql: `${COLUMNS} WHERE a.id = ?`, args: [id] })
      return rows.map((row) => toCopy({ database: $number, row }))
    }),
  )
  return found.flat()
}

function toCopy({ database, row }: FoundRow): AccountCopy {
  const isStandIn = database !== 0 && Number(row.is_stand_in) === 1
  return {
    database,
    kind: isStandIn ? 'stand_in' : Number(row.is_hidden) === 1 ? 'hidden' : 'active',
    move: row.state === null ? null : { state: String(row.state), target: Number(row.target) },
  }
}
