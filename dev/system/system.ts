import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../edge/settings/rules/settings.ts'
import { registerAdministrator } from './administrator.ts'
import { answers } from './checks.ts'
import { startLocalCron } from './cron.ts'
import { takeLock } from './lock.ts'
import { prepareDatabase } from './migrate.ts'
import { defineParts, type PartName } from './parts.ts'
import { assertPortsFree, findFreePorts, LOOPBACK, type Ports } from './ports.ts'
import { Part } from './processes.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { writeSettings } from './settings.ts'
import { waitUntil } from './wait.ts'
import { startWatch } from './watch.ts'
import { ADMIN_EMAIL } from './wrangler-config.ts'

const CRON_INTERVAL_MS = 10_000
const READY_MS_MAX = 60_000

export interface SystemOptions {
  ports: Ports
  dataDirectory: string
  /** Settings laid over those of the fleet and the edge. */
  fleet?: Record<string, string>
  edge?: Record<string, string>
  cron_interval_ms?: number
  /** Settings of the product, in force from the first request. */
  settings?: Partial<Settings>
  /** Ends a start that is still under way; `stop` ends a system that runs. */
  signal?: AbortSignal
  /** Called when a part ends that nobody asked to end. */
  onDeath?(part: Part, how: string): void
}

export interface System {
  api_url: string
  mail_url: string
  /** The payment sandbox. */
  payments_url: string
  admin: { email: string; password: string }
  ports: Ports
  secrets: Secrets
  /** Each can be stopped, killed, frozen and started again by itself. */
  parts: Record<PartName, Part>
  stop(): Promise<void>
}

/**
 * Starts the whole system and waits until /api/ready says 200. Throws a sentence that names the part
 * at fault, after ending everything that it had started.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { ports, dataDirectory, fleet = {}, edge = {} } = options
  await assertPortsFree(ports)
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const releaseLock = takeLock(dataDirectory, `http://${LOOPBACK}:${ports.edge}`)
  const isFirstStart = !existsSync(join(dataDirectory, 'local.json'))
  const secrets = loadSecrets(dataDirectory)
  const definitions = defineParts({ dataDirectory, ports, secrets, fleet, edge })
  const watch = startWatch()
  const starting = Promise.withResolvers<never>()
  let onDeath = (part: Part, how: string) => starting.reject(new Error(describeDeath(part, how)))
  const make = (name: PartName) => new Part(definitions[name], watch.tell, (part, how) => onDeath(part, how))
  const parts = {
    database: make('database'),
    redis: make('redis'),
    mail: make('mail'),
    identity: make('identity'),
    payments: make('payments'),
    fleet: make('fleet'),
    edge: make('edge'),
  }
  let stopCron = async () => {}
  const stop = async () => {
    await stopCron()
    // The fleet first: its last reports still find the edge.
    await parts.fleet.stop()
    await Promise.all([parts.edge.stop(), parts.mail.stop(), parts.identity.stop(), parts.payments.stop()])
    await Promise.all([parts.database.stop(), parts.redis.stop()])
    await watch.end()
    releaseLock()
  }
  const failure = new AbortController()
  options.signal?.addEventListener('abort', () => starting.reject(new Error('Stopped while starting')))
  try {
    await Promise.race([
      startParts(parts, options, { secrets, isFirstStart }, failure.signal),
      starting.promise,
    ])
  } catch (error) {
    failure.abort()
    await stop()
    throw error
  }
  onDeath = options.onDeath ?? (() => {})
  stopCron = startLocalCron(ports, options.cron_interval_ms ?? CRON_INTERVAL_MS)
  return {
    api_url: `http://${LOOPBACK}:${ports.edge}`,
    mail_url: `http://${LOOPBACK}:${ports.mail}`,
    payments_url: `http://${LOOPBACK}:${ports.payments}`,
    admin: { email: ADMIN_EMAIL, password: secrets.admin_password },
    ports,
    secrets,
    parts,
    stop,
  }
}

/** A sentence that names the part, and the end of its log. */
export function describeDeath(part: Part, how: string): string {
  return `${part.name} ended ${how}\n${part.describeLog()}`
}

/** Side by side where one does not need the other. The fleet comes last: it goes on with its jobs at once. */
async function startParts(
  parts: Record<PartName, Part>,
  { ports, settings = {} }: SystemOptions,
  { secrets, isFirstStart }: { secrets: Secrets; isFirstStart: boolean },
  failure: AbortSignal,
): Promise<void> {
  const startDatabase = async () => {
    const url = `http://${LOOPBACK}:${ports.database}`
    await parts.database.start()
    await prepareDatabase(url)
    await writeSettings(url, settings)
  }
  await Promise.all([
    startDatabase(),
    parts.redis.start(),
    parts.mail.start(),
    parts.identity.start(),
    parts.payments.start(),
    parts.edge.start(),
  ])
  failure.throwIfAborted()
  await parts.fleet.start()
  failure.throwIfAborted()
  const edgeUrl = `http://${LOOPBACK}:${ports.edge}`
  await waitUntil('the whole system', (signal) => answers(`${edgeUrl}/api/ready`, signal), READY_MS_MAX)
  await registerAdministrator(edgeUrl, secrets.admin_password, isFirstStart)
}

/** Starts sqld alone, migrated and seeded, on a free port. Returns its address and how to end it. */
export async function startDatabase(input: {
  dataDirectory: string
  secrets: Secrets
  settings: Partial<Settings>
}): Promise<{ url: string; stop: () => Promise<void> }> {
  const ports = await findFreePorts()
  const definition = defineParts({ ...input, ports, fleet: {}, edge: {} }).database
  const watch = startWatch()
  const database = new Part(definition, watch.tell, () => {})
  await database.start()
  const url = `http://${LOOPBACK}:${ports.database}`
  await prepareDatabase(url)
  await writeSettings(url, input.settings)
  return {
    url,
    stop: async () => {
      await database.stop()
      await watch.end()
    },
  }
}
