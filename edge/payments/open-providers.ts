import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Settings } from '../settings/rules/settings.ts'
import type { PaymentProvider } from './provider.ts'

type Closed = Pick<Settings, 'payment_providers_closed'>

/** The rails that new orders may take. Those already opened settle on any. */
export function openProviders({ payments }: Pick<Deps, 'payments'>, settings: Closed): PaymentProvider[] {
  return payments.filter(({ name }) => !settings.payment_providers_closed.includes(name))
}

/**
 * The default rail, or the one that was named; throws 400 where it is closed or unknown.
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
 * Whether mandates are held at all: on a rail that is closed for new orders those that stand are charged, and
 * can be ended, all the same. Where renewal is switched off they are ended by the scheduled handler.
 */
export function isRecurringHeld(
  { payments }: Pick<Deps, 'payments'>,
  { recurring_enabled }: Pick<Settings, 'recurring_enabled'>,
): boolean {
  return recurring_enabled && payments.some(({ holds_mandates }) => holds_mandates)
}
