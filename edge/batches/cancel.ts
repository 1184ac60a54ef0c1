import type { Caller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { StoredBatch } from './queries.ts'
import { findBatch, showBatch } from './show.ts'
import { loadOpenFiles, type OpenFiles, refundFiles, stopStatements, tellFleet } from './stop.ts'

/**
 * Cancels the files that are still open, and gives back what they were charged; what was delivered stays
 * delivered and charged. Throws 404, and 409 for a batch that is over. Contract: Batches, Batch states.
 */
export async function cancelBatch(deps: Deps, caller: Caller, id: string) {
  const { batch } = await findBatch(deps, caller, id)
  const canceled = await cancelFiles(deps, batch)
  deps.defer(tellFleet(deps, canceled))
  return showBatch(deps, caller, id)
}

function cancelFiles(deps: Deps, { id, accountId }: StoredBatch): Promise<OpenFiles> {
  const statementsOf = (open: OpenFiles, now: number) => {
    if (open.jobs.length === 0) throw new ApiError('batch_already_finished')
    return stopStatements(deps, id, open, { stopped: 'canceled', error: null }, now)
  }
  if (accountId === null) {
    return untilCommitted(async () => {
      const open = await loadOpenFiles(deps, id)
      await commit(deps.db, statementsOf(open, deps.clock.now()))
      return open
    })
  }
  return changeCredits(
    deps,
    accountId,
    async (grants_max) => {
      const [open, loaded] = await Promise.all([
        loadOpenFiles(deps, id),
        loadCredits(deps.db, accountId, grants_max),
      ])
      return { open, loaded }
    },
    ({ open }, settled, now) => ({
      statements: statementsOf(open, now),
      change: refundFiles(settled, open, now),
      answer: open,
    }),
  )
}
