import type { Captcha } from './accounts/captcha-client.ts'
import type { Mailer } from './emails/mailer.ts'
import type { Env } from './env.ts'
import type { IdentityProvider } from './identity/provider.ts'
import type { Messenger } from './messenger/client.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { Database } from './platform/database/client.ts'
import type { Dns } from './platform/dns.ts'
import type { Fleet } from './platform/fleet.ts'
import type { Effect, EffectKind } from './platform/outbox/queries.ts'
import type { Quotas } from './platform/quotas/quotas.ts'
import type { Storage } from './platform/storage/storage.ts'

export interface Clock {
  now(): number
}

/**
 * Sends effects of one kind, and acknowledges those that need no more attempts. Throws the first failure, when all
 * had their turn. Each may be sent twice without harm.
 */
export type EffectHandler = (deps: Deps, effects: readonly Effect[]) => Promise<void>

/** All that services reach the world by. Tests lay a clock of their own over it. */
export interface Deps {
  env: Env
  db: Database
  clock: Clock
  storage: Storage
  fleet: Fleet
  quotas: Quotas
  dns: Dns
  /** null where none is configured, as the next three. */
  mailer: Mailer | null
  captcha: Captcha | null
  identityProvider: IdentityProvider | null
  messenger: Messenger | null
  /** The first is the default; none: payments are not live. */
  payments: PaymentProvider[]
  /** How effects are sent; they are reached by units of work and the outbox alone. */
  effects: Record<EffectKind, EffectHandler>
  /** Work that goes on after the answer. Whatever must not be lost is in the outbox as well. */
  defer(work: Promise<unknown>): void
}
