import { OWNED_TABLES, type OwnedTable, parentOf } from '../../../edge/databases/table-owners.ts'
import type { Database } from '../../../edge/platform/database/client.ts'

/** Its rows stay where they are when a job is archived. */
const KEPT = ['accounts', 'job_moves']
const KEYS_AT_ONCE = 50_000

const TABLES = OWNED_TABLES.filter(({ name }) => !KEPT.includes(name))

/** Finds rows of accounts that a database does not have. */
export async function checkOrphans(db: Database): Promise<string[]> {
  const { $number } = db
  const accounts = new Map<number, string[]>()
  const found: string[] = []
  for (const { name, keys } of await readOrphans(db)) {
    for (const key of keys) {
      if (parentOf(name) === null) accounts.set(key, [...(accounts.get(key) ?? []), name])
      else
        found.push(
          `database ${$number}: row ${key} of ${name} belongs to no other row. Keep the database for the investigation`,
        )
    }
  }
  for (const [account, names] of accounts) {
    found.push(
      `account ${account}: database ${$number} has rows of it in ${names.join(', ')}, but not the account. Remove them: npm run ops -- remove-copy ${account} --from ${$number}`,
    )
  }
  return found
}

/** Returns the accounts, or the rows of tables that have no column for them. Reads the first pages in one request. */
async function readOrphans({ $client }: Database): Promise<{ name: string; keys: number[] }[]> {
  const pageOf = (table: OwnedTable, after: number) => ({
    sql: `SELECT max(key) AS last, count(key) AS total, json_group_array(key) FILTER (WHERE is_orphan) AS orphans
      FROM (${keysOf(table)}) WHERE key IS NOT NULL`,
    args: [after, KEYS_AT_ONCE],
  })
  const pages = await $client.batch(
    // Totals of callers without an account have the account 0.
    TABLES.map((table) => pageOf(table, 0)),
    'read',
  )
  const found: { name: string; keys: number[] }[] = []
  for (const [index, table] of TABLES.entries()) {
    let row = pages[index]?.rows[0]
    while (row !== undefined) {
      found.push({ name: table.name, keys: JSON.parse(String(row.orphans)) as number[] })
      if (Number(row.total) < KEYS_AT_ONCE) break
      row = (await $client.execute(pageOf(table, Number(row.last)))).rows[0]
    }
  }
  return found
}

function keysOf({ name }: OwnedTable): string {
  const parent = parentOf(name)
  if (parent !== null) {
    const isParent = `p."${parent.key}" = "${name}"."${parent.column}"`
    return `SELECT rowid AS key, NOT EXISTS (SELECT 1 FROM "${parent.table}" p WHERE ${isParent}) AS is_orphan
      FROM "${name}" WHERE rowid > ?1 ORDER BY rowid LIMIT ?2`
  }
  // Goes from one account to the next with an index, however many rows each has.
  const next = (after: string) => `(SELECT min(account_id) FROM "${name}" WHERE account_id > ${after})`
  return `WITH RECURSIVE own(key) AS (
      SELECT ${next('?1')} UNION ALL SELECT ${next('own.key')} FROM own WHERE own.key IS NOT NULL LIMIT ?2)
    SELECT key, NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = own.key) AS is_orphan FROM own`
}
