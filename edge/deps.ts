import type { TraceContext } from '../shared/protocol/traceparent.ts'
import type { Locale } from '../shared/text/texts.ts'
import type { Captcha } from './accounts/captcha-client.ts'
import type { Mailer } from './emails/mailer.ts'
import type { Env } from './env.ts'
import type { IdentityProvider } from './identity/provider.ts'
import type { ProgressStore } from './jobs/progress/progress-store.ts'
import type { Messenger } from './messenger/client.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { Admission } from './platform/admission/admission.ts'
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
 * Sends effects of one kind and acknowledges those that succeed. Attempts all of them, then throws the first
 * failure. Every effect must be safe to send twice.
 */
export type EffectHandler = (deps: Deps, effects: readonly Effect[]) => Promise<void>

/** External dependencies of the use cases. Tests override the clock. */
export interface Deps {
  env: Env
  /** Language of the response. English for tasks and events. Contract: Errors, Languages. */
  locale: Locale
  /** The trace of the caller, if it sends one. */
  caller_trace: TraceContext | null
  /** The database of the account that the request or task works for; the home if it works for none. */
  db: Database
  /** All databases over which accounts are spread. The first one is the home. */
  databases: readonly [home: Database, ...others: Database[]]
  /** Database of request logs. The same as `db` unless LOGS_DATABASE_URL is set. */
  logs: Database
  /** Database to which ended jobs move; null unless ARCHIVE_DATABASE_URL is set. */
  archive: Database | null
  clock: Clock
  storage: Storage
  fleet: Fleet
  quotas: Quotas
  /** Admission of requests by the number of the database of their account, so that a slow one delays no others. */
  admissions: readonly [home: Admission, ...others: Admission[]]
  progress: ProgressStore
  dns: Dns
  /** null if not configured, as are the next three. */
  mailer: Mailer | null
  captcha: Captcha | null
  identityProvider: IdentityProvider | null
  messenger: Messenger | null
  /** The first provider is the default. Empty if no provider is configured. */
  payments: PaymentProvider[]
  /** Senders of effects, used only by units of work and the outbox. */
  effects: Record<EffectKind, EffectHandler>
  /** Runs work after the response is sent. Work that must not be lost is also in the outbox. */
  defer(work: Promise<unknown>): void
}
