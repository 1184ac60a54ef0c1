import { z } from 'zod'
import { CancelRequest } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import { sendLetter } from '../emails/send.ts'
import { sendToChat } from '../feedback/relay.ts'
import { readDispatches, sendDispatches } from '../jobs/dispatch.ts'
import { answerMessage } from '../messenger/reply.ts'
import { acknowledgeEffects, type OutboxRow, takeDueEffects } from '../platform/outbox/queries.ts'
import { settleAll } from '../platform/settle-all.ts'
import { payRefund } from '../refunds/pay-out.ts'
import { endMandate } from '../subscriptions/end-mandate.ts'

const ROWS_MAX = 100

const RefundPayment = z.object({ refund_id: z.string() })
const PurgeRequest = z.object({ keys: z.array(z.string()) })
const AbortRequest = z.object({ key: z.string(), upload_id: z.string() })

/**
 * Sends again what was not acknowledged in time. Every effect may be carried out twice without harm.
 * Throws the first failure, when all have had their turn.
 */
export async function resendEffects(deps: Deps): Promise<void> {
  const due = await takeDueEffects(deps.db, deps.clock.now(), ROWS_MAX)
  const payloads = due.filter(({ kind }) => kind === 'dispatch').map(({ payload }) => payload)
  const { dispatches, fault } = readDispatches(payloads)
  await settleAll([
    sendDispatches(deps, dispatches),
    ...due.filter(({ kind }) => kind !== 'dispatch').map((row) => carryOut(deps, row)),
    ...(fault === undefined ? [] : [Promise.reject(fault)]),
  ])
}

/** An upload by parts that came to nothing, also where its parts were put together just before. */
async function abortParts({ storage }: Deps, { key, upload_id }: z.infer<typeof AbortRequest>) {
  await storage.parts.abort(key, upload_id)
  await storage.remove([key])
}

/** Carries out an effect that no queue stands behind, and acknowledges it. */
export async function carryOut(
  deps: Deps,
  { id, kind, payload }: Pick<OutboxRow, 'id' | 'kind' | 'payload'>,
) {
  if (kind === 'cancel') await deps.fleet.cancel(CancelRequest.parse(payload).job_id)
  if (kind === 'purge') await deps.storage.remove(PurgeRequest.parse(payload).keys)
  if (kind === 'abort') await abortParts(deps, AbortRequest.parse(payload))
  if (kind === 'mail') await sendLetter(deps, id, payload)
  if (kind === 'refund') await payRefund(deps, RefundPayment.parse(payload).refund_id)
  if (kind === 'mandate') await endMandate(deps, payload)
  if (kind === 'messenger') await answerMessage(deps, id, payload)
  if (kind === 'feedback') await sendToChat(deps, payload)
  await acknowledgeEffects(deps.db, [id])
}
