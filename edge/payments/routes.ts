import { UNENFORCED_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { CallbackReceived, ProviderPath } from '../orders/schemas.ts'
import { receiveProviderEvent } from './receive-event.ts'

export const paymentCallbackRoutes = [
  route({
    method: 'post',
    path: '/api/v1/billing/callbacks/{provider}',
    name: 'orders.receiveProviderEvent',
    access: 'none',
    tag: 'Billing',
    summary: 'Receive signed webhook events of a payment provider',
    description:
      'Events may arrive repeatedly, late and out of order. A 5xx response asks the provider to retry.',
    params: ProviderPath,
    // Has no rate limits, because a provider sends all events from a few addresses.
    unenforced: UNENFORCED_POLICY,
    answer: { status: 200, description: 'Handled, now or earlier', schema: CallbackReceived },
    errors: [
      'invalid_signature',
      'payment_provider_not_found',
      'body_too_large',
      'unreadable_event',
      'rate_limited',
    ],
    handle: ({ deps, path, request }) => receiveProviderEvent(deps, path.provider, request),
  }),
]
