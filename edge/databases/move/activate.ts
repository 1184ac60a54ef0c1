import type { InStatement, InValue } from '@libsql/client/web'
import type { Database } from '../../platform/database/client.ts'
import { addRestStatements } from '../../statistics/usage-queries.ts'
import { copyGlobalTables } from '../copy-global-tables.ts'
import { beginBlockStatements, takeBlock } from '../id-blocks.ts'
import { arriveHistory, beginArrival, showStatements } from './arrive.ts'
import type { Arrival } from './history.ts'
import type { CommandRoute } from './route.ts'
import { SPECIALS } from './specials.ts'
import { activateStatements, guardStaging } from './staging.ts'

export interface Move {
  all: readonly [home: Database, ...others: Database[]]
  source: Database
  target: Database
  to: number
  move_id: string
  rows_in_one_commit: number
  refused_ms_max: number
}

/** Far fewer than a transaction of sqld can move in 5 seconds while others write. */
const ROWS_AT_ONCE = 2000

/** Lets the history of a large account arrive, until few rows of the copy are left of it. */
export async function arrive(
  move: Move,
  route: CommandRoute,
  catchUp: (arrival: Arrival) => Promise<void>,
): Promise<Arrival> {
  const { target, to, rows_in_one_commit } = move
  const arrival = await beginArrival(route, to, await takeTargetBlock(move), sumStatements(target))
  const rows_at_once = Math.min(ROWS_AT_ONCE, rows_in_one_commit)
  for (let arrived = Number.POSITIVE_INFINITY; arrived > rows_in_one_commit; ) {
    arrived = await arriveHistory(route, arrival, rows_at_once)
    await catchUp(arrival)
  }
  return arrival
}

/** Inserts the rest of the copy into the tables of the target, in one commit: the account is active there from then on. */
export async function activate(move: Move, route: CommandRoute, arrival: Arrival | null): Promise<void> {
  const { all, target, to, move_id } = move
  const { account } = route
  if (target !== all[0]) await copyGlobalTables(all[0].$client, target.$client)
  const block = await takeTargetBlock(move)
  await target.$client.batch(
    [
      guardStaging(route),
      ...sumStatements(target),
      // Again for a large account: the source may have begun a later block than the one that was begun first.
      ...beginBlockStatements(block, to),
      ...(arrival === null ? [] : showStatements(account, arrival)),
      ...activateStatements(account, SPECIALS, arrival === null ? [] : ['accounts']),
      {
        sql: 'INSERT INTO account_arrivals (move_id, account_id) VALUES (?, ?)',
        args: [move_id, account],
      },
    ],
    'write',
  )
}

function takeTargetBlock({ all: [first, ...others], to }: Move): Promise<number> {
  return takeBlock([first.$client, ...others.map(({ $client }) => $client)], to)
}

/** Usage events below a new block count as summed. */
function sumStatements(target: Database): InStatement[] {
  return addRestStatements(target).map((statement) => {
    const { sql, params } = statement.getQuery()
    return { sql, args: params as InValue[] }
  })
}
