import { openCaptcha } from './accounts/captcha-client.ts'
import type { Deps } from './deps.ts'
import { EFFECTS } from './effects.ts'
import { openMailer } from './emails/mailer.ts'
import type { Env } from './env.ts'
import { openIdentityProvider } from './identity/provider.ts'
import { openProgressStore } from './jobs/progress/progress-store.ts'
import { reportUnforeseen } from './log.ts'
import { openMessenger } from './messenger/client.ts'
import { openPayments } from './payments/providers.ts'
import { openAdmission } from './platform/admission/admission.ts'
import { isAccountMoving } from './platform/database/account-moving.ts'
import { openDatabase } from './platform/database/client.ts'
import { openDatabases } from './platform/database/open-databases.ts'
import { openDns } from './platform/dns.ts'
import { openFleet } from './platform/fleet.ts'
import { openQuotas } from './platform/quotas/quotas.ts'
import { openStorage } from './platform/storage/storage.ts'

const shared = new WeakMap<Env, Omit<Deps, 'defer'>>()

/** Opens the dependencies of a request or task. All except `defer` are shared within the isolate. */
export function openDeps(env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Deps {
  let common = shared.get(env)
  if (common === undefined) {
    const admit = () => openAdmission(env.REQUESTS_IN_FLIGHT_MIN)
    const admissions = [admit(), ...env.ACCOUNT_DATABASES.map(admit)] as const
    const databases = openDatabases(env, (number, duration_ms) => admissions[number]?.noteTrip(duration_ms))
    const [db] = databases
    common = {
      env,
      locale: 'en',
      caller_trace: null,
      db,
      databases,
      logs:
        env.LOGS_DATABASE_URL === undefined
          ? db
          : openDatabase(env.LOGS_DATABASE_URL, env.LOGS_DATABASE_AUTH_TOKEN),
      archive:
        env.ARCHIVE_DATABASE_URL === undefined
          ? null
          : openDatabase(env.ARCHIVE_DATABASE_URL, env.ARCHIVE_DATABASE_AUTH_TOKEN),
      clock: { now: () => Date.now() },
      storage: openStorage(env),
      fleet: openFleet(env),
      quotas: openQuotas(env.QUOTAS),
      admissions,
      progress: openProgressStore(env.PROGRESS),
      dns: openDns(env.DNS_URL),
      mailer: openMailer(env),
      captcha: openCaptcha(env),
      identityProvider: openIdentityProvider(env),
      messenger: openMessenger(env),
      payments: openPayments(env),
      effects: EFFECTS,
    }
    shared.set(env, common)
  }
  const defer = (work: Promise<unknown>) =>
    context.waitUntil(
      work.catch((error) => {
        if (!isAccountMoving(error)) reportUnforeseen(error, { task: 'deferred work' })
      }),
    )
  return { ...common, defer }
}
