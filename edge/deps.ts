import { type Database, openDatabase } from './db/client.ts'
import type { Env } from './env.ts'
import { type Captcha, openCaptcha } from './integrations/captcha.ts'
import { type Dns, openDns } from './integrations/dns.ts'
import { type Fleet, openFleet } from './integrations/fleet.ts'
import { type IdentityProvider, openIdentityProvider } from './integrations/identity-provider.ts'
import { type Mailer, openMailer } from './integrations/mail.ts'
import { type Messenger, openMessenger } from './integrations/messenger.ts'
import { openPayments } from './integrations/payments/index.ts'
import type { PaymentProvider } from './integrations/payments/provider.ts'
import { openQuotas, type Quotas } from './integrations/quotas.ts'
import { openStorage, type Storage } from './integrations/storage.ts'
import { reportUnforeseen } from './log.ts'

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
