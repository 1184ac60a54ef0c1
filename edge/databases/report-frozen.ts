import { and, lt, ne } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { accountMoves } from '../tables.ts'

/** Far longer than writes of an account are refused, and than most accounts take to be deleted where they were. */
const MOVE_MS_MAX = 10 * 60 * 1000

/** Reports accounts whose writes are refused, or whose rows remain, because a command that moves them was killed. */
export async function reportFrozenAccounts(deps: Deps): Promise<void> {
  if (!isSpread(deps)) return
  const { startedAt, state, accountId } = accountMoves
  const frozen = await deps.db
    .select({ accountId })
    .from(accountMoves)
    .where(and(ne(state, 'copying'), lt(startedAt, deps.clock.now() - MOVE_MS_MAX)))
  for (const account of frozen) {
    const text = `account ${account.accountId} stopped moving: start ops move-account again`
    reportUnforeseen(new Error(text), { task: 'report frozen accounts' })
  }
}
