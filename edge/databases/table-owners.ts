import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as all from '../tables.ts'

/**
 * Which tables move with an account, which are copied to every database, and which stay where they are. A test checks
 * that every table is one of them.
 */

/** All tables by name. */
export const TABLES: ReadonlyMap<string, SQLiteTable> = new Map(
  Object.values(all as Record<string, unknown>)
    .filter((value) => is(value, SQLiteTable))
    .map((table) => [getTableName(table), table]),
)

/** Copied whole from the home to every other database, parents first. Administrators change them only in the home. */
export const GLOBAL_TABLES = [
  ...(['operations', 'settings', 'plans', 'packages', 'plan_terms', 'list_prices', 'promotions'] as const),
  'product_news',
] as const

/** Columns of global tables in which each database counts for itself. */
export const LOCAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  product_news: ['last_account_id', 'finished_at'],
}

/** Rows that belong to a database or to nobody. Each database has its own. */
export const LOCAL_TABLES = [
  // In the home only.
  ...([
    'account_databases',
    'account_places',
    'audit',
    'feedback',
    'idp_flows',
    'messenger_updates',
    'web_days',
  ] as const),
  ...(['web_events', 'unmatched_events', 'request_logs'] as const),
  // In each database.
  ...(['account_arrivals', 'account_departures'] as const),
  ...(['account_changes', 'account_moves', 'callbacks', 'commit_guards', 'id_blocks'] as const),
  ...(['mailbox_grants', 'processing_rates', 'receipt_gaps', 'receipt_series'] as const),
  ...(['restores', 'rollups'] as const),
] as const

/** Rows that are found neither by an account nor by a parent; edge/databases/move/ copies them on its own. */
export const SPECIAL_TABLES = ['idempotency_keys', 'outbox', 'payment_events'] as const

/** Rows of these tables belong to the account of another row: [column, parent table, its key]. */
const CHILDREN: Readonly<Record<string, readonly [column: string, parent: string, key: string]>> = {
  job_moves: ['job_id', 'jobs', 'id'],
  order_moves: ['order_id', 'orders', 'id'],
  part_uploads: ['key', 'uploads', 'key'],
  refund_moves: ['refund_id', 'refunds', 'id'],
  subscription_moves: ['subscription_id', 'subscriptions', 'id'],
  webhook_attempts: ['delivery_id', 'webhook_deliveries', 'id'],
}

const UNOWNED: readonly string[] = [...GLOBAL_TABLES, ...LOCAL_TABLES, ...SPECIAL_TABLES]

/** A table whose rows move with their account. */
export interface OwnedTable {
  name: string
  /** Returns an SQL expression of the account of a row: `prefix` is the table, NEW or OLD. */
  accountOf(prefix: string): string
  /** Matches the rows of an account, which is the parameter, with an index. */
  isOwned: string
  columns: readonly string[]
  key: readonly string[]
}

/** Tables whose rows move with their account, in an order in which each row is inserted after those that it refers to. */
export const OWNED_TABLES: readonly OwnedTable[] = sortByReferences(
  [...TABLES].flatMap(([name, table]) => (UNOWNED.includes(name) ? [] : describeOwned(name, table))),
)

function describeOwned(name: string, table: SQLiteTable): OwnedTable[] {
  const columns = Object.values(getTableColumns(table)).map((column) => column.name)
  const accountOf = ownerExpression(name, columns)
  if (accountOf === null) return []
  return [{ name, accountOf, isOwned: ownedCondition(name), columns, key: keyOf(table) }]
}

function ownedCondition(name: string): string {
  const [column, parent, key] = CHILDREN[name] ?? []
  if (parent !== undefined) {
    return `"${column}" IN (SELECT "${key}" FROM "${parent}" WHERE "account_id" = ?)`
  }
  return name === 'accounts' ? '"id" = ?' : '"account_id" = ?'
}

function ownerExpression(name: string, columns: readonly string[]): OwnedTable['accountOf'] | null {
  const child = CHILDREN[name]
  if (child !== undefined) {
    const [column, parent, key] = child
    return (prefix) => `(SELECT p.account_id FROM "${parent}" p WHERE p."${key}" = "${prefix}"."${column}")`
  }
  if (name === 'accounts') return (prefix) => `"${prefix}"."id"`
  return columns.includes('account_id') ? (prefix) => `"${prefix}"."account_id"` : null
}

/** Returns the columns of the primary key. */
export function keyOf(table: SQLiteTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const own = columns.filter(({ primary }) => primary).map(({ name }) => name)
  return own.length > 0 ? own : (primaryKeys[0]?.columns.map(({ name }) => name) ?? [])
}

function sortByReferences(tables: readonly OwnedTable[]): OwnedTable[] {
  const sorted: OwnedTable[] = []
  const visit = (owned: OwnedTable, path: readonly string[] = []) => {
    if (sorted.includes(owned) || path.includes(owned.name)) return
    const table = TABLES.get(owned.name)
    const references = table === undefined ? [] : getTableConfig(table).foreignKeys
    const parents = references.map((key) => getTableName(key.reference().foreignTable))
    const child = CHILDREN[owned.name]?.[1]
    for (const parent of [...parents, ...(child === undefined ? [] : [child])]) {
      const found = tables.find(({ name }) => name === parent)
      if (found !== undefined) visit(found, [...path, owned.name])
    }
    sorted.push(owned)
  }
  for (const owned of tables) visit(owned)
  return sorted
}

/** Returns the columns and the key of a table. */
export function describeTable(name: string): Pick<OwnedTable, 'name' | 'columns' | 'key'> {
  const table = TABLES.get(name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  return {
    name,
    columns: Object.values(getTableColumns(table)).map((column) => column.name),
    key: keyOf(table),
  }
}

/** Returns what the rows of a table belong to, if they do not name their account. */
export function parentOf(name: string): { column: string; table: string; key: string } | null {
  const [column, table, key] = CHILDREN[name] ?? []
  return column === undefined || table === undefined || key === undefined ? null : { column, table, key }
}

/** Lists the tables whose rows belong to the rows of a table, with the column that refers to it. */
export function childrenOf(name: string): { child: OwnedTable; column: string }[] {
  return OWNED_TABLES.flatMap((child) => {
    const [column, parent] = CHILDREN[child.name] ?? []
    return parent === name && column !== undefined ? [{ child, column }] : []
  })
}
