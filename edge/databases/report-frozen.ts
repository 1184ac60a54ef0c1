import { and, inArray, lt, or } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { accountMoves } from '../tables.ts'

/** Far longer than writes of an account are refused, and than most accounts take to be deleted where they were. */
const MOVE_MS_MAX = 10 * 60 * 1000
/** Each change of an account that is copied, or arrives, is recorded, and no backup is made until the move ends. */
const COPY_MS_MAX = DAY_MS

/** Condition of moves whose command was killed. */
export function isStopped(now: number) {
  const { startedAt, state } = accountMoves
  const isFrozen = and(inArray(state, ['leaving', 'left']), lt(startedAt, now - MOVE_MS_MAX))
  return or(isFrozen, lt(startedAt, now - COPY_MS_MAX))
}

/**
 * Reports accounts whose writes are refused, whose rows remain, or whose changes are recorded, because a command that moves
 * them was killed.
 */
export async function reportFrozenAccounts(deps: Deps): Promise<void> {
  if (!isSpread(deps)) return
  const frozen = await deps.db
    .select({ accountId: accountMoves.accountId })
    .from(accountMoves)
    .where(isStopped(deps.clock.now()))
  for (const account of frozen) {
    const text = `account ${account.accountId} stopped moving: start ops move-account again, or ops cancel-move`
    reportUnforeseen(new Error(text), { task: 'report frozen accounts' })
  }
}
