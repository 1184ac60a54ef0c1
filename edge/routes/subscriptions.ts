import { CancelledRenewal, HeldSubscription } from '../contract/subscription.ts'
import { route } from '../http/route.ts'
import { cancelRenewal } from '../services/subscriptions/cancel.ts'
import { showSubscription } from '../services/subscriptions/show.ts'

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
]
