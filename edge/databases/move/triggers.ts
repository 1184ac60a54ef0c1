import type { InStatement } from '@libsql/client/web'
import { LEAVING, LEFT } from '../../platform/database/account-moving.ts'
import type { Database } from '../../platform/database/client.ts'
import { isLostRace } from '../../platform/database/commit.ts'
import { OWNED_TABLES, type OwnedTable } from '../table-owners.ts'

/** Totals that the database itself derives from the rows of an account until the end of the move. */
const DERIVED = ['usage_days', 'account_activity']

const OPERATIONS = ['INSERT', 'UPDATE', 'DELETE'] as const
type Operation = (typeof OPERATIONS)[number]

/**
 * Returns statements that create the triggers of moves. They exist only while an account moves, so they cost nothing
 * otherwise, and a table has them whatever migrations did to it before.
 */
export function createTriggerStatements(): string[] {
  return OWNED_TABLES.flatMap((table) =>
    OPERATIONS.flatMap((operation) => [
      recordChange(table, operation),
      ...(DERIVED.includes(table.name) ? [] : [refuseChange(table, operation)]),
    ]),
  )
}

/** Makes a commit fail unless all triggers of moves exist. */
export function guardTriggers(): InStatement {
  return {
    sql: `INSERT INTO commit_guards SELECT 0 WHERE
      (SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?) <> ?`,
    args: [`account_move_*_${VERSION}`, createTriggerStatements().length],
  }
}

/** Drops the triggers of moves, unless another account moves, or begins to at the same time. */
export async function dropTriggers(client: Database['$client']): Promise<void> {
  const { rows } = await client.execute(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'account_move_*'
      AND NOT EXISTS (SELECT 1 FROM account_moves)`,
  )
  if (rows.length === 0) return
  const guard = 'INSERT INTO commit_guards SELECT 0 WHERE EXISTS (SELECT 1 FROM account_moves)'
  const drops = rows.map(({ name }) => `DROP TRIGGER IF EXISTS "${String(name)}"`)
  try {
    await client.batch([guard, ...drops], 'write')
  } catch (error) {
    if (!isLostRace(error)) throw error
  }
}

/** Changes with what the triggers do: those of an earlier version can be left of a command that was killed. */
const VERSION = 2

const nameOf = (kind: string, { name }: OwnedTable, operation: Operation) =>
  `account_move_${kind}_${name}_${operation.toLowerCase()}_${VERSION}`

const versionOf = (operation: Operation) => (operation === 'INSERT' ? 'NEW' : 'OLD')

/** Nothing may change an account that leaves: what is not in the copy would be lost. */
function refuseChange(table: OwnedTable, operation: Operation): string {
  const state = `(SELECT m.state FROM account_moves m WHERE m.account_id = ${table.accountOf(versionOf(operation))})`
  return `CREATE TRIGGER IF NOT EXISTS "${nameOf('refuse', table, operation)}" BEFORE ${operation} ON "${table.name}"
    WHEN ${state} IN ('arriving', 'leaving', 'left')
    BEGIN
      SELECT CASE ${state} WHEN 'left' THEN RAISE(ABORT, '${LEFT}') ELSE RAISE(ABORT, '${LEAVING}') END;
    END`
}

/** Ids of attempts differ in the target, so their delivery is copied again, with all of its attempts. */
const COPIED_WITH: Readonly<Record<string, { table: string; column: string }>> = {
  webhook_attempts: { table: 'webhook_deliveries', column: 'delivery_id' },
}

/** Notes which rows have to be copied again. */
function recordChange(table: OwnedTable, operation: Operation): string {
  const version = versionOf(operation)
  const account = table.accountOf(version)
  const versions = operation === 'UPDATE' ? ['OLD', 'NEW'] : [version]
  const parent = COPIED_WITH[table.name]
  const key = parent === undefined ? table.key : [parent.column]
  const record = versions.map(
    (
      each,
    ) => `INSERT INTO account_changes (account_id, table_name, "key") VALUES (${account}, '${parent?.table ?? table.name}',
      json_array(${key.map((column) => `${each}."${column}"`).join(', ')}));`,
  )
  return `CREATE TRIGGER IF NOT EXISTS "${nameOf('record', table, operation)}" AFTER ${operation} ON "${table.name}"
    WHEN ${account} IN (SELECT m.account_id FROM account_moves m WHERE m.state IN ('copying', 'leaving'))
    BEGIN ${record.join('\n')} END`
}
