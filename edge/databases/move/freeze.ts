import type { InStatement } from '@libsql/client/web'
import { type CommandRoute, guardCommand } from './route.ts'
import { createTriggerStatements, guardTriggers } from './triggers.ts'

/**
 * Begins a move, or continues one: later commits of earlier commands fail in the source.
 * @returns the id of the move
 */
export async function takeSource(route: CommandRoute, to: number): Promise<string> {
  const { account, source, command } = route
  const results = await source.batch(
    [
      ...createTriggerStatements(),
      {
        sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at, command)
          SELECT id, ?, ?, 'copying', ?, ? FROM accounts WHERE id = ?
          ON CONFLICT (account_id) DO UPDATE SET command = excluded.command
          WHERE state IN ('copying', 'leaving') AND target = excluded.target`,
        args: [crypto.randomUUID(), to, Date.now(), command, account],
      },
      guardCommand(route),
      { sql: 'SELECT move_id FROM account_moves WHERE account_id = ?', args: [account] },
    ],
    'write',
  )
  return String(results.at(-1)?.rows[0]?.move_id)
}

/** Refuses writes of the account, unless changes may have been missed: a migration can have dropped the triggers. */
export async function freeze(route: CommandRoute): Promise<void> {
  await route.source.batch(
    [
      guardTriggers(),
      guardCommand(route),
      {
        sql: `UPDATE account_moves SET state = 'leaving', started_at = ? WHERE account_id = ?`,
        args: [Date.now(), route.account],
      },
    ],
    'write',
  )
}

/** Accepts writes of the account again. Fails if a later command moves it. */
export async function unfreeze(route: CommandRoute): Promise<void> {
  await route.source.batch(
    [
      guardCommand(route),
      {
        sql: `UPDATE account_moves SET state = 'copying' WHERE account_id = ? AND state = 'leaving'`,
        args: [route.account],
      },
    ],
    'write',
  )
}

/**
 * Makes later commits of other commands that move the account fail in the source, unless it has left.
 * @param guards statements that make this fail
 */
export async function takeOver(route: CommandRoute, guards: readonly InStatement[] = []): Promise<void> {
  const { account, source, command } = route
  const take = {
    sql: `UPDATE account_moves SET command = ? WHERE account_id = ? AND state IN ('copying', 'leaving')`,
    args: [command, account],
  }
  await source.batch([...guards, take, guardCommand(route)], 'write')
}
