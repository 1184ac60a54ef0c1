import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../edge/settings/rules/settings.ts'
import { registerAdministrator } from './administrator.ts'
import { isResponding } from './checks.ts'
import { startLocalCron } from './cron.ts'
import { acquireLock } from './lock.ts'
import { prepareDatabase, prepareOtherDatabases } from './migrate.ts'
import { defineParts, type EdgeCommand, type PartName } from './parts.ts'
import { assertPortsFree, findFreePorts, LOOPBACK, type Ports } from './ports.ts'
import { Part } from './processes.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { writeSettings } from './settings.ts'
import { waitUntil } from './wait.ts'
import { startWatch } from './watch.ts'
import { ADMIN_EMAIL } from './wrangler-config.ts'

const CRON_INTERVAL_MS = 10_000
const READY_MS_MAX = 120_000

export interface SystemOptions {
  ports: Ports
  dataDirectory: string
  /** Environment variables that override the fleet's defaults; `edge` does the same for the edge. */
  fleet?: Record<string, string>
  edge?: Record<string, string>
  /** The file that starts the fleet; by default its source. */
  fleet_program?: string
  /** The command that runs the Worker; by default `wrangler dev`. */
  edge_command?: EdgeCommand
  cron_interval_ms?: number
  /** How many databases to start over which accounts are spread, in addition to the first one, or those that run. */
  account_databases?: number | readonly { url: string }[]
  /** Product settings that apply from the first request on. */
  settings?: Partial<Settings>
  /** Aborts startup. To stop a running system, call `stop`. */
  signal?: AbortSignal
  /** Called if a part exits unexpectedly after startup. */
  onExit?(part: Part, reason: string): void
}

export interface System {
  api_url: string
  mail_url: string
  /** URL of the payment sandbox. */
  payments_url: string
  admin: { email: string; password: string }
  ports: Ports
  secrets: Secrets
  /** The databases after the first one, as the edge has them in ACCOUNT_DATABASES. */
  account_databases: readonly { url: string }[]
  /** The parts, each of which can be stopped, killed, suspended, and restarted independently. */
  parts: Record<PartName, Part>
  stop(): Promise<void>
}

/**
 * Starts the whole system and waits until /api/ready responds with 200.
 * @throws if a part fails, after stopping all started parts; the message names the failed part
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { ports, dataDirectory, fleet = {}, account_databases = 0, fleet_program, edge_command } = options
  await assertPortsFree(ports)
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const releaseLock = acquireLock(dataDirectory, `http://${LOOPBACK}:${ports.edge}`)
  const isFirstStart = !existsSync(join(dataDirectory, 'local.json'))
  const secrets = loadSecrets(dataDirectory)
  const isRunning = typeof account_databases !== 'number'
  const others = isRunning ? [] : await startOthers(dataDirectory, secrets, account_databases)
  const addresses = isRunning ? account_databases : others.map(({ url }) => ({ url }))
  const spread = addresses.length > 0 && { ACCOUNT_DATABASES: JSON.stringify(addresses) }
  const edge = { ...options.edge, ...spread }
  const definitions = defineParts({ dataDirectory, ports, secrets, fleet, edge, fleet_program, edge_command })
  const watch = startWatch()
  const startup = Promise.withResolvers<never>()
  let onExit = (part: Part, reason: string) => startup.reject(new Error(describeExit(part, reason)))
  const createPart = (name: PartName) =>
    new Part(definitions[name], watch.update, (part, reason) => onExit(part, reason))
  const parts = {
    database: createPart('database'),
    redis: createPart('redis'),
    mail: createPart('mail'),
    identity: createPart('identity'),
    payments: createPart('payments'),
    storage: createPart('storage'),
    fleet: createPart('fleet'),
    edge: createPart('edge'),
  }
  let stopCron = async () => {}
  const stop = async () => {
    await stopCron()
    // The fleet stops first, so its last reports still reach the edge.
    await parts.fleet.stop()
    const middle = [parts.edge, parts.mail, parts.identity, parts.payments, parts.storage]
    await Promise.all(middle.map((part) => part.stop()))
    await Promise.all([parts.database.stop(), parts.redis.stop(), ...others.map((other) => other.stop())])
    await watch.stop()
    releaseLock()
  }
  const failure = new AbortController()
  options.signal?.addEventListener('abort', () => startup.reject(new Error('The startup was aborted.')))
  try {
    await Promise.race([
      startParts(parts, options, { secrets, isFirstStart, others: addresses }, failure.signal),
      startup.promise,
    ])
  } catch (error) {
    failure.abort()
    await stop()
    throw error
  }
  onExit = options.onExit ?? (() => {})
  stopCron = startLocalCron(ports, options.cron_interval_ms ?? CRON_INTERVAL_MS)
  return {
    api_url: `http://${LOOPBACK}:${ports.edge}`,
    mail_url: `http://${LOOPBACK}:${ports.mail}`,
    payments_url: `http://${LOOPBACK}:${ports.payments}`,
    admin: { email: ADMIN_EMAIL, password: secrets.admin_password },
    ports,
    secrets,
    account_databases: addresses,
    parts,
    stop,
  }
}

/** Starts databases over which accounts are spread, in addition to the first one. */
function startOthers(dataDirectory: string, secrets: Secrets, count: number): Promise<OwnDatabase[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      startOtherDatabase({ dataDirectory: join(dataDirectory, `database-${index + 1}`), secrets }),
    ),
  )
}

/** Describes an unexpected exit: the part's name, the reason, and the end of its log. */
export function describeExit(part: Part, reason: string): string {
  return `${part.name} exited ${reason}\n${part.describeLog()}`
}

/** Starts the parts concurrently. The fleet starts last because it resumes its jobs immediately. */
async function startParts(
  parts: Record<PartName, Part>,
  { ports, settings = {} }: SystemOptions,
  {
    secrets,
    isFirstStart,
    others,
  }: { secrets: Secrets; isFirstStart: boolean; others: readonly { url: string }[] },
  failure: AbortSignal,
): Promise<void> {
  const startDatabase = async () => {
    const url = `http://${LOOPBACK}:${ports.database}`
    await parts.database.start()
    await prepareDatabase(url)
    await writeSettings(url, settings)
    await prepareOtherDatabases({ url }, others)
  }
  await Promise.all([
    startDatabase(),
    parts.redis.start(),
    parts.mail.start(),
    parts.identity.start(),
    parts.payments.start(),
    parts.storage.start(),
    parts.edge.start(),
  ])
  failure.throwIfAborted()
  await parts.fleet.start()
  failure.throwIfAborted()
  const edgeUrl = `http://${LOOPBACK}:${ports.edge}`
  await waitUntil('the whole system', (signal) => isResponding(`${edgeUrl}/api/ready`, signal), READY_MS_MAX)
  await registerAdministrator(edgeUrl, secrets.admin_password, isFirstStart)
}

interface OwnDatabase {
  url: string
  /** Changes its durability. */
  admin_url: string
  stop: () => Promise<void>
}

/** Starts only sqld on a free port, with migrated tables and seed data. */
export async function startDatabase({
  settings,
  ...input
}: OwnDatabaseInput & { settings: Partial<Settings> }): Promise<OwnDatabase> {
  const database = await startOtherDatabase(input)
  await prepareDatabase(database.url)
  await writeSettings(database.url, settings)
  return database
}

interface OwnDatabaseInput {
  dataDirectory: string
  secrets: Secrets
}

/** Starts only sqld on a free port, without tables. */
export async function startOtherDatabase(input: OwnDatabaseInput): Promise<OwnDatabase> {
  const ports = await findFreePorts()
  const definition = defineParts({ ...input, ports, fleet: {}, edge: {} }).database
  const watch = startWatch()
  const database = new Part(definition, watch.update, () => {})
  await database.start()
  return {
    url: `http://${LOOPBACK}:${ports.database}`,
    admin_url: `http://${LOOPBACK}:${ports.database_admin}`,
    stop: async () => {
      await database.stop()
      await watch.stop()
    },
  }
}
