import type { InStatement, InValue } from '@libsql/client/web'
import { childrenOf, OWNED_TABLES, type OwnedTable } from '../table-owners.ts'
import { guardMove, removeRows } from './leave.ts'
import type { CommandRoute, Route } from './route.ts'
import { guardStaging, inOrder, insertedColumns, quote, stagingOf } from './staging.ts'
import { createTriggerStatements } from './triggers.ts'

/**
 * Rows that may be in the target before the account is active there: large tables, of which no task or lookup without
 * the account uses these rows. Writes of all of them are refused until then, as in the source.
 */
const HISTORY: Readonly<Record<string, string>> = {
  jobs: `status IN ('done', 'failed', 'canceled')`,
  ledger: '1',
  allocations: '1',
  usage_events: '1',
  webhook_deliveries: `status <> 'pending'`,
}

const isHistory = (name: string) => name in HISTORY || childOf(name) !== undefined

const TABLES = OWNED_TABLES.filter(({ name }) => isHistory(name))

/** A table whose rows are history if those that they belong to are. */
function childOf(name: string): { parent: string; column: string } | undefined {
  return ['jobs', 'webhook_deliveries']
    .flatMap((parent) => childrenOf(parent).map(({ child, column }) => ({ parent, child, column })))
    .find(({ child }) => child.name === name)
}

/** Returns the rows of the copy that arrive before the account is active, as a condition. */
export function historyOf(account: number, name: string): string {
  if (name === 'accounts') return '1'
  const belongs = childOf(name)
  if (belongs === undefined) return HISTORY[name] ?? '0'
  const { parent, column } = belongs
  return `"${column}" IN (SELECT id FROM "${stagingOf(account, parent)}" WHERE ${HISTORY[parent]})`
}

/** Far fewer than a transaction of sqld can insert in 5 seconds while others write. */
const ROWS_AT_ONCE = 2000

/** Counts the rows of the copy. */
export async function countStaged({ account, target }: Route): Promise<number> {
  const results = await target.batch(
    OWNED_TABLES.map(({ name }) => `SELECT count(*) AS rows FROM "${stagingOf(account, name)}"`),
    'read',
  )
  return results.reduce((sum, { rows }) => sum + Number(rows[0]?.rows), 0)
}

/**
 * Inserts the history of a large account in many small commits, beside a row of the account by which nothing finds it.
 * @param before statements of the first commit
 * @returns a statement that makes a commit fail if another command has begun to remove the history
 */
export async function insertHistory(
  route: Route,
  to: number,
  before: readonly InStatement[],
): Promise<InStatement> {
  const move_id = crypto.randomUUID()
  const { account, target } = route
  await target.batch(
    [
      ...before,
      ...createTriggerStatements(),
      {
        sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at) VALUES (?, ?, ?, 'removing', ?)`,
        args: [account, move_id, to, Date.now()],
      },
      insertHidden(account),
      setState(account, 'arriving'),
    ],
    'write',
  )
  for (const table of TABLES) {
    const { bounds, rows } = await divide(route, table)
    let inserted = 0
    for (const [index, upper] of [...bounds, null].entries()) {
      const insert = insertBetween(account, table, bounds[index - 1] ?? null, upper)
      const shielded = [setState(account, 'removing'), insert, setState(account, 'arriving')]
      const results = await target.batch([guardMove(account, move_id), ...shielded], 'write')
      inserted += results[2]?.rowsAffected ?? 0
    }
    if (inserted !== rows) throw new Error(`Of ${table.name}, ${inserted} rows arrived instead of ${rows}.`)
  }
  return guardMove(account, move_id)
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

/** The triggers of moves let a commit pass in which the account has this state for a while. */
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

/** Gives the row of the account what it is found by. */
export function showAccount(account: number): string {
  const columns = OWNED_TABLES.find(({ name }) => name === 'accounts')?.columns ?? []
  return `UPDATE accounts SET ${columns.map((column) => `"${column}" = s."${column}"`).join(', ')}
    FROM "${stagingOf(account, 'accounts')}" s WHERE accounts.id = s.id`
}

/** Counts the history of a table in the copy, and reads the last key of each part of it, except the last part. */
async function divide(
  { account, target }: Route,
  table: OwnedTable,
): Promise<{ bounds: InValue[][]; rows: number }> {
  const { key } = inOrder(table)
  const history = `FROM "${stagingOf(account, table.name)}" WHERE ${historyOf(account, table.name)}`
  const [counted, bounds] = await target.batch(
    [
      `SELECT count(*) AS rows ${history}`,
      `SELECT ${quote(key)} FROM (
        SELECT ${quote(key)}, row_number() OVER (ORDER BY ${quote(key)}) AS place ${history})
      WHERE place % ${ROWS_AT_ONCE} = 0 ORDER BY place`,
    ],
    'read',
  )
  return {
    bounds: (bounds?.rows ?? []).map((row) => key.map((column) => row[column] as InValue)),
    rows: Number(counted?.rows[0]?.rows),
  }
}

function insertBetween(
  account: number,
  table: OwnedTable,
  lower: InValue[] | null,
  upper: InValue[] | null,
): InStatement {
  const { name, key } = inOrder(table)
  const columns = quote(insertedColumns(table))
  const compare = (operator: '>' | '<=', bound: InValue[] | null) =>
    bound === null ? '' : `AND (${quote(key)}) ${operator} (${bound.map(() => '?').join(', ')})`
  return {
    sql: `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM "${stagingOf(account, name)}"
      WHERE ${historyOf(account, name)} ${compare('>', lower)} ${compare('<=', upper)} ORDER BY ${quote(key)}`,
    args: [...(lower ?? []), ...(upper ?? [])],
  }
}
