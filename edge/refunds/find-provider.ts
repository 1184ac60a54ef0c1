import type { Deps } from '../deps.ts'
import type { PaymentProvider } from '../payments/provider.ts'

/** The provider that took an order's money; undefined where it is not configured any more. */
export function findProvider(
  { payments }: Pick<Deps, 'payments'>,
  name: string,
): PaymentProvider | undefined {
  return payments.find((provider) => provider.name === name)
}

/** Money that came by a rail that takes none back, or by one that is gone, is transferred by hand. */
export function paysByHand(deps: Pick<Deps, 'payments'>, provider: string): boolean {
  return !(findProvider(deps, provider)?.refunds ?? false)
}
