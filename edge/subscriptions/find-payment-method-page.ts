import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isRenewing } from './rules/renewal.ts'
import { runningTermQuery } from './term-queries.ts'
import { termOf } from './transition.ts'

/**
 * Returns the provider's page on which the payment method of the renewal is changed. Throws 409 not_recurring if
 * nothing renews, and 502 if the provider does not name a page. Contract: Subscriptions, Failed charges.
 */
export async function findPaymentMethodPage(
  { db, payments }: Deps,
  { account }: SessionCaller,
): Promise<{ redirect_url: string }> {
  const [held] = await runningTermQuery(db, account.id)
  if (held === undefined || !isRenewing(termOf(held.subscription))) throw new ApiError('not_recurring')
  const { provider: name, mandate } = held.subscription
  const provider = payments.find((candidate) => candidate.name === name)
  const redirect_url =
    mandate === null
      ? null
      : await provider?.findPaymentMethodPage(mandate).catch((error: unknown) => {
          reportUnforeseen(error, { task: 'find the page of a payment method' })
          return null
        })
  if (!redirect_url) throw new ApiError('payment_provider_unavailable')
  return { redirect_url }
}
