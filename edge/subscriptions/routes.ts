import { route } from '../http/route.ts'
import { cancelRenewal } from './cancel.ts'
import { cancelRenewalByLink, showRenewalByLink } from './cancel-by-link.ts'
import { CancelledRenewal, HeldSubscription, LinkedRenewal, RenewalPath } from './schemas.ts'
import { showSubscription } from './show.ts'

const tag = 'Billing'

export const subscriptionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/billing/subscription',
    access: 'session',
    tag,
    summary: 'The term that is held, or null',
    answer: { status: 200, description: 'The term', schema: HeldSubscription },
    handle: ({ deps, caller }) => showSubscription(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/subscription/cancel',
    access: 'session',
    tag,
    summary: 'Cancel the renewal',
    description: 'Ends the mandate alone: months that are paid for stay, and period_end does not move.',
    idempotent: true,
    answer: { status: 200, description: 'The term as it is now', schema: CancelledRenewal },
    errors: { 409: 'Nothing is renewing (not_recurring), or a repetition' },
    handle: ({ deps, caller, record }) => cancelRenewal(deps, caller, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/renewals/{token}',
    access: 'none',
    tag,
    summary: 'The renewal that the link of an email cancels',
    params: RenewalPath,
    answer: { status: 200, description: 'The renewal', schema: LinkedRenewal },
    errors: { 404: 'Unknown link' },
    handle: ({ deps, path }) => showRenewalByLink(deps, path.token),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/renewals/{token}/cancel',
    access: 'none',
    tag,
    summary: 'Cancel a renewal by the link of an email, without a sign-in',
    description: 'Does the same as /billing/subscription/cancel. A renewal that has ended stays so.',
    params: RenewalPath,
    answer: { status: 200, description: 'The renewal as it is now', schema: LinkedRenewal },
    errors: { 404: 'Unknown link' },
    handle: ({ deps, path }) => cancelRenewalByLink(deps, path.token),
  }),
]
