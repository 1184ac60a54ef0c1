import type { Caller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import type { StoredBatch } from './queries.ts'
import { findBatch, showBatch } from './show.ts'
import { loadOpenFiles, type OpenFiles, refundFiles, stopBatch } from './stop.ts'

/**
 * Cancels a batch's open files and refunds their charges. Finished files stay delivered and charged. Throws 404,
 * and 409 if the batch has finished. Contract: Batches, Batch states.
 */
export async function cancelBatch(deps: Deps, caller: Caller, id: string) {
  const { batch } = await findBatch(deps, caller, id)
  await cancelFiles(deps, batch)
  return showBatch(deps, caller, id)
}

function cancelFiles(deps: Deps, { id, accountId }: StoredBatch): Promise<void> {
  const decideCancel = (open: OpenFiles, now: number) => {
    if (open.jobs.length === 0) throw new ApiError('batch_already_finished')
    return { ...stopBatch(deps, id, open, { stopped: 'canceled', error: null }, now), answer: undefined }
  }
  if (accountId === null) {
    return unitOfWork(deps, { load: () => loadOpenFiles(deps, id), decide: decideCancel })
  }
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      const [open, loaded] = await Promise.all([
        loadOpenFiles(deps, id),
        loadCredits(deps.db, accountId, grants_max),
      ])
      return { open, loaded }
    },
    decide: ({ open }, settled, now) => ({
      ...decideCancel(open, now),
      change: refundFiles(settled, open, now),
    }),
  })
}
