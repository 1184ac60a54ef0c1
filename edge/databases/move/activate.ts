import type { InStatement, InValue } from '@libsql/client/web'
import type { Database } from '../../platform/database/client.ts'
import { addRestStatements } from '../../statistics/usage-queries.ts'
import { copyGlobalTables } from '../copy-global-tables.ts'
import { beginBlockStatements, takeBlock } from '../id-blocks.ts'
import { countStaged, historyOf, insertHistory, showAccount } from './arrive.ts'
import type { CommandRoute } from './route.ts'
import { SPECIALS } from './specials.ts'
import { activateStatements } from './staging.ts'

export interface Move {
  all: readonly [home: Database, ...others: Database[]]
  source: Database
  target: Database
  to: number
  move_id: string
  rows_in_one_commit: number
}

/**
 * Inserts the copy into the tables of the target. With the last commit, the account is active there.
 * @param verified statements that make a commit fail if the copy has changed
 */
export async function activate(
  { all, target, to, move_id, rows_in_one_commit }: Move,
  route: CommandRoute,
  verified: readonly InStatement[],
  onStep: (step: string) => void | Promise<void>,
): Promise<void> {
  const { account } = route
  if (target !== all[0]) await copyGlobalTables(all[0].$client, target.$client)
  await onStep('activate')
  const [first, ...others] = all
  const block = await takeBlock([first.$client, ...others.map(({ $client }) => $client)], to)
  const added = addRestStatements(target).map((statement) => {
    const { sql, params } = statement.getQuery()
    return { sql, args: params as InValue[] }
  })
  const begun = [...added, ...beginBlockStatements(block, to)]
  const arrival = {
    sql: 'INSERT INTO account_arrivals (move_id, account_id) VALUES (?, ?)',
    args: [move_id, account],
  }
  if ((await countStaged(route)) <= rows_in_one_commit) {
    const activation = activateStatements(account, SPECIALS)
    await target.$client.batch([...verified, ...begun, ...activation, arrival], 'write')
    return
  }
  const guard = await insertHistory(route, to, [...verified, ...begun])
  await onStep('activate large')
  const shown = { sql: 'DELETE FROM account_moves WHERE account_id = ?', args: [account] }
  const rest = activateStatements(account, SPECIALS, historyOf)
  await target.$client.batch([...verified, guard, shown, showAccount(account), ...rest, arrival], 'write')
}
