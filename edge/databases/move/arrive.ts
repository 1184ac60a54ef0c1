import type { InStatement, InValue } from '@libsql/client/web'
import { BLOCK_IDS } from '../../platform/database/ids.ts'
import { beginBlockStatements } from '../id-blocks.ts'
import { childrenOf, OWNED_TABLES, type OwnedTable } from '../table-owners.ts'
import { type Arrival, HISTORY_TABLES, historyOf, isChangeable } from './history.ts'
import { guardMove, removeRows } from './leave.ts'
import type { CommandRoute } from './route.ts'
import { guardStaging, inOrder, insertedColumns, quote, stagingOf } from './staging.ts'
import { createTriggerStatements } from './triggers.ts'

/** Counts the rows of the copy that have not arrived. */
export async function countStaged({ account, target }: CommandRoute): Promise<number> {
  const results = await target.batch(
    OWNED_TABLES.map(({ name }) => `SELECT count(*) AS rows FROM "${stagingOf(account, name)}"`),
    'read',
  )
  return results.reduce((sum, { rows }) => sum + Number(rows[0]?.rows), 0)
}

/**
 * Inserts a row of the account by which nothing finds it, and which nothing but the move changes.
 * @param block a new block of ids
 * @param summed statements that add all usage events of the target to its totals
 */
export async function beginArrival(
  route: CommandRoute,
  to: number,
  block: number,
  summed: readonly InStatement[],
): Promise<Arrival> {
  const arrival = { move_id: crypto.randomUUID(), first_id: block * BLOCK_IDS }
  const { account, target } = route
  await target.batch(
    [
      guardStaging(route),
      ...summed,
      ...beginBlockStatements(block, to),
      ...createTriggerStatements(),
      {
        sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at) VALUES (?, ?, ?, 'removing', ?)`,
        args: [account, arrival.move_id, to, Date.now()],
      },
      insertHidden(account),
      setState(account, 'arriving'),
    ],
    'write',
  )
  return arrival
}

/**
 * Moves the history from the copy into the tables of the target, in commits of few rows.
 * @returns how many rows arrived
 */
export async function arriveHistory(
  route: CommandRoute,
  arrival: Arrival,
  rows_at_once: number,
): Promise<number> {
  const { account, target } = route
  let arrived = 0
  for (const { table, from, to } of await divide(route, arrival, rows_at_once)) {
    const { name, key } = inOrder(table)
    const columns = quote(insertedColumns(table))
    const { where, args } = isBetween(key, from, to)
    const staged = `FROM "${stagingOf(account, name)}" WHERE ${historyOf(account, arrival, name)} ${where}`
    const insert = `INSERT INTO "${name}" (${columns}) SELECT ${columns} ${staged} ORDER BY ${quote(key)}`
    const moved = [insert, `DELETE ${staged}`].map((sql) => ({ sql, args }))
    const results = await target.batch([guardStaging(route), ...unrefused(account, arrival, moved)], 'write')
    const [inserted, deleted] = results.slice(-3).map(({ rowsAffected }) => rowsAffected)
    if (inserted !== deleted) throw new Error(`Of ${name}, ${inserted} rows arrived instead of ${deleted}.`)
    arrived += inserted ?? 0
  }
  return arrived
}

/** Returns statements that remove rows with these keys from what has arrived: they are in the copy again, or deleted. */
export function withdrawStatements(
  account: number,
  arrival: Arrival,
  table: OwnedTable,
  keys: readonly InValue[][],
): InStatement[] {
  if (!isChangeable(table.name)) return []
  const isRow = table.key.map((column) => `"${column}" = ?`).join(' AND ')
  const children = childrenOf(table.name)
  const statements = keys.flatMap((key) => [
    ...children.map(({ child, column }) => ({
      sql: `DELETE FROM "${child.name}" WHERE "${column}" = ?`,
      args: [key[0] ?? null],
    })),
    {
      sql: `DELETE FROM "${table.name}" WHERE ${isRow} AND ${table.accountOf(table.name)} = ?`,
      args: [...key, account],
    },
  ])
  return unrefused(account, arrival, statements)
}

/** Removes what an earlier command inserted that did not activate the account, and cannot any more. */
export async function removeHistory(route: CommandRoute, to: number): Promise<void> {
  const { account, source, target } = route
  const move_id = crypto.randomUUID()
  const take = {
    sql: 'UPDATE account_moves SET move_id = ? WHERE account_id = ? AND target = ?',
    args: [move_id, account, to],
  }
  const [, taken] = await target.batch([guardStaging(route), take], 'write')
  if (taken?.rowsAffected !== 0) await removeRows({ account, source: target, target: source }, move_id)
}

/** Returns statements that make the row of the account known, and let its rows be used. */
export function showStatements(account: number, { move_id }: Arrival): InStatement[] {
  const columns = OWNED_TABLES.find(({ name }) => name === 'accounts')?.columns ?? []
  // SQLite looks for all rows that refer to a row of which the id is set.
  const others = columns.filter((column) => column !== 'id')
  return [
    guardMove(account, move_id),
    { sql: 'DELETE FROM account_moves WHERE account_id = ?', args: [account] },
    `UPDATE accounts SET ${others.map((column) => `"${column}" = s."${column}"`).join(', ')}
      FROM "${stagingOf(account, 'accounts')}" s WHERE accounts.id = s.id`,
  ]
}

/** The triggers of moves let a commit pass in which the account has another state. */
function unrefused(account: number, { move_id }: Arrival, statements: readonly InStatement[]): InStatement[] {
  return [
    guardMove(account, move_id),
    setState(account, 'removing'),
    ...statements,
    setState(account, 'arriving'),
  ]
}

function setState(account: number, state: 'removing' | 'arriving'): InStatement {
  return { sql: 'UPDATE account_moves SET state = ? WHERE account_id = ?', args: [state, account] }
}

/** Texts by which an account is found. A row that is left of an account has the same. */
const FOUND_BY: Readonly<Record<string, string>> = {
  email: `'left:' || id`,
  email_key: `'left:' || id`,
  public_key: `'left:' || id`,
  idp_issuer: 'NULL',
  idp_subject: 'NULL',
}

function insertHidden(account: number): string {
  const columns = OWNED_TABLES.find(({ name }) => name === 'accounts')?.columns ?? []
  const values = columns.map((column) => FOUND_BY[column] ?? `"${column}"`)
  return `INSERT INTO accounts (${quote(columns)})
    SELECT ${values.join(', ')} FROM "${stagingOf(account, 'accounts')}"`
}

/** Rows of a table after one key, up to another one. */
interface Part {
  table: OwnedTable
  from: InValue[] | null
  to: InValue[] | null
}

/** Divides the history in the copy into parts that one commit can insert. */
async function divide(
  { account, target }: CommandRoute,
  arrival: Arrival,
  rows_at_once: number,
): Promise<Part[]> {
  const results = await target.batch(
    HISTORY_TABLES.map((table) => {
      const key = quote(inOrder(table).key)
      // The last key of each part.
      return `SELECT ${key} FROM (
          SELECT ${key}, row_number() OVER (ORDER BY ${key}) AS place, count(*) OVER () AS rows
          FROM "${stagingOf(account, table.name)}" WHERE ${historyOf(account, arrival, table.name)})
        WHERE place % ${rows_at_once} = 0 OR place = rows ORDER BY place`
    }),
    'read',
  )
  return HISTORY_TABLES.flatMap((table, index) => {
    const { key } = inOrder(table)
    const bounds = (results[index]?.rows ?? []).map((row) => key.map((column) => row[column] as InValue))
    return bounds.map((to, place) => ({ table, from: bounds[place - 1] ?? null, to }))
  })
}

function isBetween(
  key: readonly string[],
  from: InValue[] | null,
  to: InValue[] | null,
): { where: string; args: InValue[] } {
  const compare = (operator: '>' | '<=', bound: InValue[] | null) =>
    bound === null ? '' : `AND (${quote(key)}) ${operator} (${bound.map(() => '?').join(', ')})`
  return {
    where: `${compare('>', from)} ${compare('<=', to)}`,
    args: [...(from ?? []), ...(to ?? [])],
  }
}
