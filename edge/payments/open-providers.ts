import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Settings } from '../settings/rules/settings.ts'
import type { PaymentProvider } from './provider.ts'

type Closed = Pick<Settings, 'payment_providers_closed'>

/** Lists the providers that are open for new orders. Existing orders are settled on any provider. */
export function openProviders({ payments }: Pick<Deps, 'payments'>, settings: Closed): PaymentProvider[] {
  return payments.filter(({ name }) => !settings.payment_providers_closed.includes(name))
}

/**
 * Returns the requested provider, or the default if none is requested. Throws 400 if it is closed or unknown.
 * Contract: Purchase rule 2.
 */
export function pickProvider(
  deps: Pick<Deps, 'payments'>,
  settings: Closed,
  name: string | undefined,
): PaymentProvider {
  const open = openProviders(deps, settings)
  const picked = name === undefined ? open[0] : open.find((provider) => provider.name === name)
  if (picked !== undefined) return picked
  const names = open.map((provider) => provider.name)
  throw new ApiError('payment_provider_closed', { provider: name ?? null, open: names })
}

/**
 * Checks whether renewals are enabled and any provider holds mandates. A provider that is closed for new orders
 * still charges and ends existing mandates. If renewal is disabled, the scheduled handler ends them.
 */
export function isRecurringHeld(
  { payments }: Pick<Deps, 'payments'>,
  { recurring_enabled }: Pick<Settings, 'recurring_enabled'>,
): boolean {
  return recurring_enabled && payments.some(({ holds_mandates }) => holds_mandates)
}
