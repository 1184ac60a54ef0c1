import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../platform/database/client.ts'
import { OWNED_TABLES } from '../table-owners.ts'
import { findAccountPlace } from './find-account.ts'
import { takeSource } from './freeze.ts'
import { leave, removeRows } from './leave.ts'
import { notePlaces } from './note-places.ts'
import { type CommandRoute, isActive } from './route.ts'
import { SPECIALS } from './specials.ts'
import { createStaging, dropStaging, takeStaging } from './staging.ts'
import { transfer } from './transfer.ts'
import { dropTriggers } from './triggers.ts'

interface Options {
  /** How long the rows stay in the source after the move, for requests that still read them. */
  keep_ms?: number
  /** Accounts with more rows arrive in many commits. Tests lower it. */
  rows_in_one_commit?: number
  /** A move that would refuse writes for longer stops before. */
  refused_ms_max?: number
  /** Called before each step with its name. Tests interrupt a move here. */
  onStep?(step: string): void | Promise<void>
}

/** Longer than a read waits for the end of a job, and than credentials are cached. */
const KEEP_MS = 90_000
/** Longer than an account with half a million rows needs. Clients repeat requests for about as long. */
export const REFUSED_MS_MAX = 30_000
/** A commit of so many rows blocks other writers for a fraction of a second. */
const ROWS_IN_ONE_COMMIT = 10_000

/**
 * Moves an account to another database while it is in use. Its rows are copied and later changes are copied again;
 * writes are refused only during the last changes, the comparison, and the commit that activates the copy. Of a large
 * account, most rows are in the target before. An interrupted move continues when it is started again.
 * @returns how long writes were refused
 */
export async function moveAccount(
  databases: readonly [home: Database, ...others: Database[]],
  account: number,
  to: number,
  {
    keep_ms = KEEP_MS,
    rows_in_one_commit = ROWS_IN_ONE_COMMIT,
    refused_ms_max = REFUSED_MS_MAX,
    onStep = () => undefined,
  }: Options = {},
): Promise<{ refused_ms: number }> {
  const target = databases[to]
  if (target === undefined) throw new Error(`There is no database ${to}.`)
  const place = await findAccountPlace(databases, account, to)
  if (place === null) {
    // A command that was killed at its end left them.
    for (const { $client } of databases) await dropTriggers($client)
    return { refused_ms: 0 }
  }
  const { source, state } = place
  const command = crypto.randomUUID()
  let route: CommandRoute = { account, source: source.$client, target: target.$client, command }
  let { move_id } = place
  let refused_ms = 0
  if (state === 'left') await takeStaging(route)
  else {
    await onStep('begin')
    move_id = await takeSource(route, to)
    await createStaging(route, [...OWNED_TABLES, ...SPECIALS])
    // No earlier command can activate its copy any more.
    let refused_at = Date.now()
    if (!(await isActive(route, move_id))) {
      const limits = { rows_in_one_commit, refused_ms_max }
      const move = { all: databases, source, target, to, move_id, ...limits }
      ;({ route, refused_at } = await transfer(move, route, onStep))
    }
    await onStep('leave')
    await complete(databases[0], route, move_id, target)
    refused_ms = Date.now() - refused_at
  }
  await dropStaging(route)
  await dropTriggers(route.target)
  await onStep('remove')
  await setTimeout(keep_ms)
  await removeRows(route, move_id)
  return { refused_ms }
}

async function complete(
  home: Database,
  route: CommandRoute,
  move_id: string,
  target: Database,
): Promise<void> {
  try {
    await notePlaces(home, route.account, target)
    await leave(route, move_id)
  } catch (error) {
    const { message } = error as Error
    const advice =
      'Run the command again at once: writes of the account are refused if it has not left the source.'
    throw new Error(`${message} ${advice}`, { cause: error })
  }
}
