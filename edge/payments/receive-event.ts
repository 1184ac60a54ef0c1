import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import { handleProviderEvent } from './handle-event.ts'
import type { PaymentProvider, VerifiedEvent } from './provider.ts'
import { UnreadableEvent } from './unreadable.ts'

const BODY_BYTES_MAX = 256 * 1024

/**
 * Reads and handles a provider's webhook event. Throws 404 for an unknown provider, 413 for a body over 256 KiB, 401
 * for an invalid signature, and 422 for an undocumented format. If the event cannot be handled, the response is a
 * 5xx, and the provider retries.
 */
export async function receiveProviderEvent(
  deps: Deps,
  name: string,
  request: Request,
): Promise<{ received: true }> {
  // A provider that is closed for new orders still settles existing ones.
  const provider = deps.payments.find((candidate) => candidate.name === name)
  if (provider === undefined) throw new ApiError('payment_provider_not_found')
  if (!provider.mayHaveSigned(request.headers, deps.clock.now())) throw new ApiError('invalid_signature')
  const body = await readTextAtMost(request, BODY_BYTES_MAX)
  if (body === null) throw new ApiError('body_too_large', { bytes_max: BODY_BYTES_MAX })
  const verified = await readEvent(deps, provider, { headers: request.headers, body })
  if (verified === null) throw new ApiError('invalid_signature')
  await handleProviderEvent(deps, provider, verified)
  return { received: true }
}

/** Throws 422 for a signed event in an undocumented format. The provider retries it for days. */
async function readEvent(
  { clock }: Deps,
  provider: PaymentProvider,
  event: { headers: Headers; body: string },
): Promise<VerifiedEvent | null> {
  try {
    return await provider.readWebhook(event, clock.now())
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    reportUnforeseen(error, { task: `read an event of ${provider.name}` })
    throw new ApiError('unreadable_event')
  }
}
