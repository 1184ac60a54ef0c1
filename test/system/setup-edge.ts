import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPaymentSandbox } from '../../dev/payment-sandbox/server.ts'
import { prepareOtherDatabases } from '../../dev/system/migrate.ts'
import { findFreePorts } from '../../dev/system/ports.ts'
import { makeSecrets, paymentSandboxSecret } from '../../dev/system/secrets.ts'
import { GENEROUS_LIMITS } from '../../dev/system/settings.ts'
import { startDatabase, startOtherDatabase } from '../../dev/system/system.ts'
import { localSecrets, localVars } from '../../dev/system/wrangler-config.ts'
import { parseKeys } from '../../shared/protocol/signature.ts'
import { startFakeFleet } from '../edge/fake-fleet.ts'
import { startFakeInternet } from '../edge/fake-internet.ts'
import { startBotApi } from '../support/bot-api.ts'

declare module 'vitest' {
  interface ProvidedContext {
    edge_bindings: Record<string, string>
    /** The databases of each workerd: its own, and one to which tests move accounts. */
    edge_databases: { DATABASE_URL: string; OTHER_DATABASE_URL: string }[]
  }
}

/**
 * Starts the services that the tests inside workerd call: a migrated and seeded sqld for each workerd and
 * one for archives, a fleet that can fail on demand, a payment sandbox, and a Bot API. Provides the bindings with their URLs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'media-edge-'))
  const ports = await findFreePorts()
  const secrets = makeSecrets()
  const start = (name: string) =>
    startDatabase({ dataDirectory: join(directory, name), secrets, settings: GENEROUS_LIMITS })
  const starting = start('archive')
  const databases = await Promise.all(
    Array.from({ length: project.config.maxWorkers }, async (_, index) => {
      const [own, other] = await Promise.all([
        start(String(index)),
        startOtherDatabase({ dataDirectory: join(directory, `${index}-other`), secrets }),
      ])
      // Most tests know only the first one, so it does not list the other.
      await prepareOtherDatabases(own, [other], null)
      return { own, other }
    }),
  )
  const archive = await starting
  const stopFleet = await startFakeFleet(parseKeys(secrets.fleet_keys), ports.fleet)
  const internet = await startFakeInternet()
  const botApi = await startBotApi()
  // The tests read the sandbox's events from the control interface, because the Worker under test has no URL.
  const sandbox = await startPaymentSandbox({
    port: ports.payments,
    secret: paymentSandboxSecret(secrets),
    state_file: null,
    card_callback_url: null,
  })
  const vars = localVars(ports)
  project.provide('edge_bindings', {
    ...vars,
    ...localSecrets(secrets),
    FLEET_URL: `${vars.FLEET_URL}/common`,
    DNS_URL: `${internet.url}/dns`,
    INTERNET_URL: internet.url,
    TEST_ARCHIVE_URL: archive.url,
    // On a busy machine the database answers slowly, and tests send many requests at once.
    REQUESTS_IN_FLIGHT_MIN: '1000',
    TELEGRAM_API_URL: botApi.url,
  })
  project.provide(
    'edge_databases',
    databases.map(({ own, other }) => ({ DATABASE_URL: own.url, OTHER_DATABASE_URL: other.url })),
  )
  return async () => {
    await sandbox.stop()
    await internet.stop()
    await botApi.stop()
    await stopFleet()
    await Promise.all([archive.stop(), ...databases.flatMap(({ own, other }) => [own.stop(), other.stop()])])
    rmSync(directory, { recursive: true, force: true })
  }
}
