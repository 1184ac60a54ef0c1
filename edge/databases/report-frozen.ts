import { and, eq, lt } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { accountMoves } from '../tables.ts'

/** Longer than a move takes. */
const MOVE_MS_MAX = 60 * 60 * 1000

/** Reports accounts whose writes are refused because a command that moves them was killed. */
export async function reportFrozenAccounts(deps: Deps): Promise<void> {
  if (!isSpread(deps)) return
  const { startedAt, state, accountId } = accountMoves
  const before = deps.clock.now() - MOVE_MS_MAX
  const frozen = await readEverywhere(deps, (db) =>
    db
      .select({ accountId })
      .from(accountMoves)
      .where(and(eq(state, 'leaving'), lt(startedAt, before))),
  )
  for (const account of frozen.flat()) {
    const text = `account ${account.accountId} is frozen: start ops move-account again`
    reportUnforeseen(new Error(text), { task: 'report frozen accounts' })
  }
}
