import type { InStatement } from '@libsql/client/web'
import type { Database } from '../../platform/database/client.ts'

type Client = Database['$client']

/** A move of an account between two databases. */
export interface Route {
  account: number
  source: Client
  target: Client
}

/** The move by one command. Both databases store the id of the last command, and refuse commits of earlier ones. */
export interface CommandRoute extends Route {
  command: string
}

/** Makes a commit in the source fail if a later command moves the account, or its move has ended. */
export function guardCommand({ account, command }: CommandRoute): InStatement {
  return {
    sql: `INSERT INTO commit_guards SELECT 0
      WHERE (SELECT command FROM account_moves WHERE account_id = ?) IS NOT ?`,
    args: [account, command],
  }
}

/** Whether the copy of a move is active in the target. A write transaction, which no replica answers. */
export async function isActive({ target }: Route, move_id: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM account_arrivals WHERE move_id = ?'
  const [found] = await target.batch([{ sql, args: [move_id] }], 'write')
  return (found?.rows.length ?? 0) > 0
}
