import { setTimeout } from 'node:timers/promises'
import type { InStatement, InValue } from '@libsql/client/web'
import type { Database } from '../../platform/database/client.ts'
import { addRestStatements, rollUpUsage } from '../../statistics/usage-queries.ts'
import { copyGlobalTables } from '../copy-global-tables.ts'
import { beginBlockStatements, takeBlock } from '../id-blocks.ts'
import { OWNED_TABLES } from '../table-owners.ts'
import { countStaged, historyOf, insertHistory, removeHistory, showAccount } from './arrive.ts'
import { copyChanges, copyRows, copyTable, type Route } from './copy.ts'
import { findAccountPlace } from './find-account.ts'
import { leave, removeRows } from './leave.ts'
import { notePlaces } from './note-places.ts'
import { SPECIALS } from './specials.ts'
import { activateStatements, createStaging, dropStaging, guardStaging } from './staging.ts'
import { createTriggerStatements, dropTriggers, guardTriggers } from './triggers.ts'
import { verifyCopy } from './verify.ts'

interface Options {
  /** How long the rows stay in the source after the move, for requests that still read them. */
  keep_ms?: number
  /** Accounts with more rows arrive in many commits. Tests lower it. */
  rows_in_one_commit?: number
  /** Called before each step with its name. Tests interrupt a move here. */
  onStep?(step: string): void | Promise<void>
}

/** Longer than a read waits for the end of a job, and than credentials are cached. */
const KEEP_MS = 90_000
const USAGE_EVENTS_AT_ONCE = 10_000
/** When so few changes are left that the account can be frozen for them. */
const FEW_CHANGES = 20
const ROUNDS_MAX = 1000
/** A commit of so many rows blocks other writers for a fraction of a second. */
const ROWS_IN_ONE_COMMIT = 10_000

/**
 * Moves an account to another database while it is in use. Its rows are copied and later changes are copied again;
 * writes are refused only during the last changes, the comparison, and the commit that activates the copy. An
 * interrupted move continues when it is started again.
 * @returns how long writes were refused
 */
export async function moveAccount(
  databases: readonly [home: Database, ...others: Database[]],
  account: number,
  to: number,
  { keep_ms = KEEP_MS, rows_in_one_commit = ROWS_IN_ONE_COMMIT, onStep = () => undefined }: Options = {},
): Promise<{ refused_ms: number }> {
  const target = databases[to]
  if (target === undefined) throw new Error(`There is no database ${to}.`)
  const place = await findAccountPlace(databases, account, to)
  if (place === null) return { refused_ms: 0 }
  const { source, state } = place
  const route: Route = { account, source: source.$client, target: target.$client }
  let refused_ms = 0
  if (state !== 'left') {
    if (!(await isActive(route)))
      refused_ms = await transfer({ all: databases, source, target, to, rows_in_one_commit }, route, onStep)
    await onStep('leave')
    await notePlaces(databases[0], account, target)
    await leave(route, await readMoveId(route))
  }
  const move_id = await readMoveId(route)
  await dropStaging(route.target, account)
  await dropTriggers(route.target)
  await onStep('remove')
  await setTimeout(keep_ms)
  await removeRows(route, move_id)
  return { refused_ms }
}

interface Databases {
  all: readonly [home: Database, ...others: Database[]]
  source: Database
  target: Database
  to: number
  rows_in_one_commit: number
}

/** Copies the account and activates the copy. */
async function transfer(
  databases: Databases,
  route: Route,
  onStep: NonNullable<Options['onStep']>,
): Promise<number> {
  const { account, source } = route
  await onStep('begin')
  await source.batch(
    [
      ...createTriggerStatements(),
      {
        sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at) VALUES (?, ?, ?, 'copying', ?)
          ON CONFLICT DO NOTHING`,
        args: [account, crypto.randomUUID(), databases.to, Date.now()],
      },
    ],
    'write',
  )
  const command = crypto.randomUUID()
  await createStaging(route.target, account, [...OWNED_TABLES, ...SPECIALS], command)
  // After that: another command that still runs cannot activate what is removed here.
  await removeHistory(route, databases.to)
  await onStep('copy')
  await copyRows(route)
  await onStep('changes')
  for (let round = 0; round < ROUNDS_MAX && (await copyChanges(route)) > FEW_CHANGES; round++);
  await onStep('freeze')
  const frozen_at = await freeze(route)
  try {
    await onStep('last changes')
    await sumUsage(databases.source, account)
    while ((await copyChanges(route)) > 0);
    for (const table of SPECIALS) await copyTable(route, table, table.condition)
    const verified = [guardStaging(account, command), ...(await verifyCopy(route))]
    await activate(databases, route, verified, onStep)
  } catch (error) {
    // The commit that activates the copy may have succeeded without an answer, or may still arrive: without the copy, it
    // fails. Unless the copy is active, the account goes on in the source.
    await dropStaging(route.target, account)
    if (!(await isActive(route))) {
      await removeHistory(route, databases.to)
      await unfreeze(route, frozen_at)
    }
    throw error
  }
  return Date.now() - frozen_at
}

/**
 * Refuses writes of the account, unless changes may have been missed: a migration can have dropped the triggers.
 * @returns the time, by which the command that did it is known
 */
async function freeze({ account, source }: Route): Promise<number> {
  const frozen_at = Date.now()
  await source.batch(
    [
      guardTriggers(),
      {
        sql: `UPDATE account_moves SET state = 'leaving', started_at = ? WHERE account_id = ?`,
        args: [frozen_at, account],
      },
    ],
    'write',
  )
  return frozen_at
}

async function unfreeze({ account, source }: Route, frozen_at: number): Promise<void> {
  await source.execute({
    sql: `UPDATE account_moves SET state = 'copying'
      WHERE account_id = ? AND state = 'leaving' AND started_at = ?`,
    args: [account, frozen_at],
  })
}

/** Adds the usage of the account to its totals, which move. */
async function sumUsage(source: Database, account: number): Promise<void> {
  const { rows } = await source.$client.execute({
    sql: 'SELECT coalesce(max(id), 0) AS last FROM usage_events WHERE account_id = ?',
    args: [account],
  })
  for (;;) {
    const { rows: sums } = await source.$client.execute(
      `SELECT coalesce(max(through), 0) AS through FROM rollups WHERE name = 'usage'`,
    )
    if (Number(sums[0]?.through) >= Number(rows[0]?.last)) return
    await rollUpUsage(source, USAGE_EVENTS_AT_ONCE)
  }
}

async function activate(
  { all, target, to, rows_in_one_commit }: Databases,
  route: Route,
  verified: readonly InStatement[],
  onStep: NonNullable<Options['onStep']>,
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
  const arrival = {
    sql: 'INSERT INTO account_arrivals (move_id, account_id) VALUES (?, ?)',
    args: [await readMoveId(route), account],
  }
  const begun = [...added, ...beginBlockStatements(block, to)]
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

/** Whether the copy of this move is active in the target. */
async function isActive(route: Route): Promise<boolean> {
  const { rows } = await route.target.execute({
    sql: 'SELECT 1 FROM account_arrivals WHERE move_id = ?',
    args: [await readMoveId(route)],
  })
  return rows.length > 0
}

/** Returns the id of the move; an empty text if the account does not move. */
async function readMoveId({ account, source }: Route): Promise<string> {
  const { rows } = await source.execute({
    sql: 'SELECT move_id FROM account_moves WHERE account_id = ?',
    args: [account],
  })
  return String(rows[0]?.move_id ?? '')
}
