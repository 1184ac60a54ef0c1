import type { Database } from '../../platform/database/client.ts'
import { rollUpUsage } from '../../statistics/usage-queries.ts'
import { activate, arrive, type Move } from './activate.ts'
import { countStaged, removeHistory } from './arrive.ts'
import { copyChanges, copyRows, copySpecials } from './copy.ts'
import { abandonMove } from './end-move.ts'
import { freeze, unfreeze } from './freeze.ts'
import type { Arrival } from './history.ts'
import type { CommandRoute } from './route.ts'
import { readFigures, verifyCopy } from './verify.ts'

const USAGE_EVENTS_AT_ONCE = 10_000
/** When so few changes are left that the account can be frozen for them. */
const FEW_CHANGES = 20
const ROUNDS_MAX = 1000
/** How long a row of the last commit takes on a busy database. */
const INSERT_MS = 0.2

/** What completes a move whose copy is active. */
interface Transferred {
  route: CommandRoute
  /** When writes were refused. */
  refused_at: number
}

/**
 * Copies the account and activates the copy. If that fails, the account goes on in the source as if it had not moved.
 * @throws Error if the copy is not active
 */
export async function transfer(
  move: Move,
  route: CommandRoute,
  onStep: (step: string) => void | Promise<void>,
): Promise<Transferred> {
  let refused_at = Date.now()
  try {
    await copyAndActivate(move, route, onStep, () => {
      refused_at = Date.now()
      return refused_at
    })
    return { route, refused_at }
  } catch (error) {
    const next = await abandonMove(route, move.move_id, move.to).catch(() => {
      const { message } = error as Error
      const advice = `Run the command again or cancel the move: writes of the account may still be refused.`
      throw new Error(`${message} ${advice}`, { cause: error })
    })
    if (next === null) throw error
    // Only the answer of the commit was lost.
    return { route: next, refused_at }
  }
}

async function copyAndActivate(
  move: Move,
  route: CommandRoute,
  onStep: (step: string) => void | Promise<void>,
  onRefusal: () => number,
): Promise<void> {
  // A command that was killed may have left both.
  await unfreeze(route)
  await removeHistory(route, move.to)
  await onStep('copy')
  await copyRows(route)
  await onStep('changes')
  await catchUp(route, null)
  let arrival: Arrival | null = null
  if ((await countStaged(route)) > move.rows_in_one_commit) {
    await onStep('arrive')
    arrival = await arrive(move, route, (begun) => catchUp(route, begun))
    await requireShortRefusal(move, route, arrival)
    await catchUp(route, arrival)
  }
  await onStep('freeze')
  const refused_at = onRefusal()
  const requireTime = () => {
    if (Date.now() - refused_at > move.refused_ms_max)
      throw new Error(
        `The last changes took longer than the limit of ${move.refused_ms_max / 1000} s, so the move has ended. The account goes on in its database.`,
      )
  }
  await freeze(route)
  await onStep('last changes')
  await sumUsage(move.source, route.account, requireTime)
  while ((await copyChanges(route, arrival)) > 0) requireTime()
  await copySpecials(route)
  await verifyCopy(route, arrival)
  await onStep('activate')
  requireTime()
  await activate(move, route, arrival)
}

/** Copies what has changed, until few changes are left. */
async function catchUp(route: CommandRoute, arrival: Arrival | null): Promise<void> {
  for (let round = 0; (await copyChanges(route, arrival)) > FEW_CHANGES; round++) {
    if (round === ROUNDS_MAX) throw new Error('The account changes faster than its changes are copied.')
  }
}

/** Throws before writes are refused if that would take too long. Compares the copy once to know how long it takes. */
async function requireShortRefusal(
  { refused_ms_max }: Move,
  route: CommandRoute,
  arrival: Arrival,
): Promise<void> {
  const started_at = Date.now()
  await readFigures(route, arrival)
  const left = await countStaged(route)
  const expected_ms = Date.now() - started_at + left * INSERT_MS
  if (expected_ms > refused_ms_max)
    throw new Error(
      `Writes of the account would be refused for about ${Math.ceil(expected_ms / 1000)} s, longer than the limit of ${refused_ms_max / 1000} s.`,
    )
}

/** Adds the usage of the account to its totals, which move. */
async function sumUsage(source: Database, account: number, requireTime: () => void): Promise<void> {
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
    requireTime()
  }
}
