import { type Captcha, openCaptcha } from './accounts/captcha-client.ts'
import { type Mailer, openMailer } from './emails/mailer.ts'
import type { Env } from './env.ts'
import { type IdentityProvider, openIdentityProvider } from './identity/provider.ts'
import { reportUnforeseen } from './log.ts'
import { type Messenger, openMessenger } from './messenger/client.ts'
import type { PaymentProvider } from './payments/provider.ts'
import { openPayments } from './payments/providers.ts'
import { type Database, openDatabase } from './platform/database/client.ts'
import { type Dns, openDns } from './platform/dns.ts'
import { type Fleet, openFleet } from './platform/fleet.ts'
import { openQuotas, type Quotas } from './platform/quotas/quotas.ts'
import { openStorage, type Storage } from './platform/storage/storage.ts'

export interface Clock {
  now(): number
}

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
  /** Work that goes on after the answer. Whatever must not be lost is in the outbox as well. */
  defer(work: Promise<unknown>): void
}

const shared = new WeakMap<Env, Omit<Deps, 'defer'>>()

export function depsFor(env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Deps {
  let common = shared.get(env)
  if (common === undefined) {
    common = {
      env,
      db: openDatabase(env.DATABASE_URL, env.DATABASE_AUTH_TOKEN),
      clock: { now: () => Date.now() },
      storage: openStorage(env),
      fleet: openFleet(env),
      quotas: openQuotas(env.QUOTAS),
      dns: openDns(env.DNS_URL),
      mailer: openMailer(env),
      captcha: openCaptcha(env),
      identityProvider: openIdentityProvider(env),
      messenger: openMessenger(env),
      payments: openPayments(env),
    }
    shared.set(env, common)
  }
  const defer = (work: Promise<unknown>) =>
    context.waitUntil(work.catch((error) => reportUnforeseen(error, { task: 'deferred work' })))
  return { ...common, defer }
}
