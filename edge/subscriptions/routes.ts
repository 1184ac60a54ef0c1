import { route } from '../http/route.ts'
import { cancelRenewal } from './cancel.ts'
import { cancelRenewalByLink, showRenewalByLink } from './cancel-by-link.ts'
import { findPaymentMethodPage } from './find-payment-method-page.ts'
import {
  CancelledRenewal,
  HeldSubscription,
  LinkedRenewal,
  PaymentMethodPage,
  RenewalPath,
} from './schemas.ts'
import { showSubscription } from './show.ts'

const tag = 'Billing'

export const subscriptionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/billing/subscription',
    name: 'subscription.get',
    access: 'session',
    tag,
    summary: 'Get the current term, or null',
    answer: { status: 200, description: 'The term', schema: HeldSubscription },
    handle: ({ deps, caller }) => showSubscription(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/subscription/cancel',
    name: 'subscription.cancelRenewal',
    access: 'session',
    tag,
    summary: 'Cancel the renewal',
    description: 'Ends only the mandate: paid months stay, and period_end does not change.',
    idempotent: true,
    answer: { status: 200, description: 'The updated term', schema: CancelledRenewal },
    errors: ['not_recurring'],
    handle: ({ deps, caller, record }) => cancelRenewal(deps, caller, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/subscription/payment-method',
    name: 'subscription.openPaymentMethod',
    access: 'session',
    tag,
    summary: 'Get the page that changes the payment method of the renewal',
    description: 'The page belongs to the payment provider, which also retries a failed charge there.',
    answer: { status: 200, description: 'The page', schema: PaymentMethodPage },
    errors: ['not_recurring', 'payment_provider_unavailable'],
    handle: ({ deps, caller }) => findPaymentMethodPage(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/renewals/{token}',
    name: 'renewals.get',
    access: 'none',
    tag,
    summary: 'Get the renewal that an email link cancels',
    params: RenewalPath,
    answer: { status: 200, description: 'The renewal', schema: LinkedRenewal },
    errors: ['renewal_link_not_found'],
    handle: ({ deps, path }) => showRenewalByLink(deps, path.token),
  }),
  route({
    method: 'post',
    path: '/api/v1/billing/renewals/{token}/cancel',
    name: 'renewals.cancel',
    access: 'none',
    tag,
    summary: 'Cancel a renewal with an email link, without signing in',
    description: 'Same effect as /billing/subscription/cancel. Repeating the call changes nothing.',
    params: RenewalPath,
    answer: { status: 200, description: 'The updated renewal', schema: LinkedRenewal },
    errors: ['renewal_link_not_found'],
    handle: ({ deps, path }) => cancelRenewalByLink(deps, path.token),
  }),
]
