import type { Database } from '../../platform/database/client.ts'
import { rollUpUsage } from '../../statistics/usage-queries.ts'
import { activate, type Move } from './activate.ts'
import { removeHistory } from './arrive.ts'
import { copyChanges, copyRows, copySpecials } from './copy.ts'
import { abandonMove } from './end-move.ts'
import { freeze, unfreeze } from './freeze.ts'
import type { CommandRoute } from './route.ts'
import { guardStaging } from './staging.ts'
import { verifyCopy } from './verify.ts'

const USAGE_EVENTS_AT_ONCE = 10_000
/** When so few changes are left that the account can be frozen for them. */
const FEW_CHANGES = 20
const ROUNDS_MAX = 1000

/**
 * Copies the account and activates the copy. If that fails, the account goes on in the source as if it had not moved.
 * @returns when writes were refused
 */
export async function transfer(
  move: Move,
  route: CommandRoute,
  onStep: (step: string) => void | Promise<void>,
): Promise<number> {
  try {
    return await copyAndActivate(move, route, onStep)
  } catch (error) {
    await abandonMove(route, move.move_id, move.to).catch(() => {
      const { message } = error as Error
      const advice = `Run the command again or cancel the move: writes of the account may still be refused.`
      throw new Error(`${message} ${advice}`, { cause: error })
    })
    throw error
  }
}

async function copyAndActivate(
  move: Move,
  route: CommandRoute,
  onStep: (step: string) => void | Promise<void>,
): Promise<number> {
  // A command that was killed may have left both.
  await unfreeze(route)
  await removeHistory(route, move.to)
  await onStep('copy')
  await copyRows(route)
  await onStep('changes')
  for (let round = 0; round < ROUNDS_MAX && (await copyChanges(route)) > FEW_CHANGES; round++);
  await onStep('freeze')
  const refused_at = Date.now()
  await freeze(route)
  await onStep('last changes')
  await sumUsage(move.source, route.account)
  while ((await copyChanges(route)) > 0);
  await copySpecials(route)
  const verified = [guardStaging(route), ...(await verifyCopy(route))]
  await activate(move, route, verified, onStep)
  return refused_at
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
