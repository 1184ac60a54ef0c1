import { z } from 'zod'
import { CancelRequest, Dispatch } from '../../../shared/protocol/dispatch.ts'
import { acknowledgeEffects, type OutboxRow, takeDueEffects } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import { sendDispatches } from './dispatch.ts'

const ROWS_MAX = 100

export const PurgeRequest = z.object({ keys: z.array(z.string()) })

/** Sends again what was not acknowledged in time. Every effect may be carried out twice without harm. */
export async function resendEffects(deps: Deps): Promise<void> {
  const due = await takeDueEffects(deps.db, deps.clock.now(), ROWS_MAX)
  const dispatches = due
    .filter(({ kind }) => kind === 'dispatch')
    .map(({ payload }) => Dispatch.parse(payload))
  await Promise.allSettled([
    sendDispatches(deps, dispatches),
    ...due.filter(({ kind }) => kind !== 'dispatch').map((row) => carryOut(deps, row)),
  ])
}

/** Carries out an effect that no queue stands behind, and acknowledges it. */
export async function carryOut(
  deps: Deps,
  { id, kind, payload }: Pick<OutboxRow, 'id' | 'kind' | 'payload'>,
) {
  if (kind === 'cancel') await deps.fleet.cancel(CancelRequest.parse(payload).job_id)
  if (kind === 'purge') await deps.storage.remove(PurgeRequest.parse(payload).keys)
  await acknowledgeEffects(deps.db, [id])
}
