import { UNENFORCED_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { CallbackTaken, ProviderPath } from '../orders/schemas.ts'
import { takeCallback } from './handle-event.ts'

export const paymentCallbackRoutes = [
  route({
    method: 'post',
    path: '/api/v1/billing/callbacks/{provider}',
    access: 'none',
    tag: 'Billing',
    summary: "A payment provider's own news, signed by it",
    description:
      'May come twice, late and out of order. What could not be written is answered by 5xx: come again.',
    params: ProviderPath,
    // Nobody's limits: a provider sends all of its news from a few addresses.
    unenforced: UNENFORCED_POLICY,
    answer: { status: 200, description: 'Taken, or taken before', schema: CallbackTaken },
    errors: {
      401: 'The provider did not sign it',
      404: 'Unknown provider',
      413: 'The body is larger than 256 KiB',
      422: 'It is signed, and not of the form that the provider documents',
    },
    handle: ({ deps, path, request }) => takeCallback(deps, path.provider, request),
  }),
]
