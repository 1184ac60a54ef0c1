import type { Deps } from '../deps.ts'
import type { PaymentProvider } from '../payments/provider.ts'

/** Returns the provider that handled an order's payment; undefined if it is no longer configured. */
export function findProvider(
  { payments }: Pick<Deps, 'payments'>,
  name: string,
): PaymentProvider | undefined {
  return payments.find((provider) => provider.name === name)
}

/** Checks whether a payout is manual because the provider cannot refund or is no longer configured. */
export function paysByHand(deps: Pick<Deps, 'payments'>, provider: string): boolean {
  return !(findProvider(deps, provider)?.refunds ?? false)
}
