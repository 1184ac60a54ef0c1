import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_FLAGS } from '../../media-backend/runtime/node-flags.ts'
import { isRedisReady, isResponding } from './checks.ts'
import { setDurability } from './durability.ts'
import { LOOPBACK, type Ports } from './ports.ts'
import type { PartDefinition } from './processes.ts'
import { installedProgram, ROOT, SQLD } from './root.ts'
import { paymentSandboxSecret, type Secrets } from './secrets.ts'
import {
  BUCKET,
  cardCallbackUrl,
  LOCAL_CLIENT,
  publicUrl,
  storageUrl,
  writeWranglerConfig,
} from './wrangler-config.ts'

export type PartName = 'database' | 'redis' | 'mail' | 'identity' | 'payments' | 'storage' | 'fleet' | 'edge'

export interface PartsInput {
  dataDirectory: string
  ports: Ports
  secrets: Secrets
  /**
   * Environment variables that override the defaults of the fleet and the edge. Tests use them to shorten locks and
   * redirect reports.
   */
  fleet: Record<string, string>
  edge: Record<string, string>
  /** The file that starts the fleet, for scripts that start it often; by default its source. */
  fleet_program?: string | undefined
  /** The command that runs the Worker with a configuration of wrangler; by default `wrangler dev`. */
  edge_command?: EdgeCommand | undefined
}

/** Returns the arguments of Node. */
export type EdgeCommand = (config: string, port: number, state: string) => string[]

/**
 * Without an interval, sqld checkpoints its WAL every 1,000 pages. That checkpoint can pass the write lock to a
 * writer that has disconnected, and all other writers then spin forever. A slow disk or a hundred concurrent
 * writers can trigger this. Writes are also twice as fast with an interval.
 */
const CHECKPOINT_INTERVAL_S = 900

/** Defines the command and the readiness check of each part of the system. */
export function defineParts(input: PartsInput): Record<PartName, PartDefinition> {
  const { dataDirectory } = input
  for (const folder of ['logs', 'redis', 'mail', 'work']) {
    mkdirSync(join(dataDirectory, folder), { recursive: true, mode: 0o700 })
  }
  return {
    database: defineDatabase(input),
    redis: defineRedis(input),
    mail: defineMail(input),
    identity: defineIdentityProvider(input),
    payments: definePaymentSandbox(input),
    storage: defineStorage(input),
    fleet: defineFleet(input),
    edge: defineEdge(input),
  }
}

function defineDatabase({ dataDirectory, ports }: PartsInput): PartDefinition {
  const address = `${LOOPBACK}:${ports.database}`
  const admin_address = `${LOOPBACK}:${ports.database_admin}`
  return {
    name: 'database',
    command: SQLD,
    args: [
      '--no-welcome',
      ...['--db-path', join(dataDirectory, 'database')],
      ...['--http-listen-addr', address],
      ...['--admin-listen-addr', admin_address],
      ...['--checkpoint-interval-s', String(CHECKPOINT_INTERVAL_S)],
    ],
    environment: baseEnvironment(),
    logFile: logFile(dataDirectory, 'database'),
    isReady: async (signal) => {
      if (!(await isResponding(`http://${address}/health`, signal))) return false
      await setDurability(`http://${admin_address}`, 'strong')
      return true
    },
    ready_ms_max: 60_000,
  }
}

function defineRedis({ dataDirectory, ports }: PartsInput): PartDefinition {
  const settings = {
    bind: LOOPBACK,
    port: String(ports.redis),
    dir: join(dataDirectory, 'redis'),
    appendonly: 'yes',
    save: '',
    // Redis holds the fleet's queue. When memory is full, a write must fail rather than evict a queued job.
    'maxmemory-policy': 'noeviction',
  }
  return {
    name: 'redis',
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    environment: baseEnvironment(),
    logFile: logFile(dataDirectory, 'redis'),
    isReady: (signal) => isRedisReady(ports.redis, signal),
    ready_ms_max: 60_000,
  }
}

function defineMail({ dataDirectory, ports }: PartsInput): PartDefinition {
  const smtp = ['--smtp', String(ports.smtp), '--ip', LOOPBACK]
  const web = ['--web', String(ports.mail), '--web-ip', LOOPBACK]
  return {
    name: 'mail',
    command: process.execPath,
    args: [installedProgram('maildev'), ...smtp, ...web, '--mail-directory', join(dataDirectory, 'mail')],
    environment: baseEnvironment(),
    logFile: logFile(dataDirectory, 'mail'),
    isReady: (signal) => isResponding(`http://${LOOPBACK}:${ports.mail}/api/healthz`, signal),
    ready_ms_max: 90_000,
  }
}

function defineIdentityProvider({ dataDirectory, ports }: PartsInput): PartDefinition {
  return {
    name: 'identity',
    command: process.execPath,
    args: [join(ROOT, 'dev/system/identity-provider.ts')],
    environment: {
      ...baseEnvironment(),
      PORT: String(ports.identity),
      CLIENT_ID: LOCAL_CLIENT.id,
      CLIENT_SECRET: LOCAL_CLIENT.secret,
      REDIRECT_URL: `${publicUrl(ports)}/auth/callback`,
    },
    logFile: logFile(dataDirectory, 'identity'),
    isReady: (signal) =>
      isResponding(`http://${LOOPBACK}:${ports.identity}/.well-known/openid-configuration`, signal),
    ready_ms_max: 90_000,
  }
}

function definePaymentSandbox({ dataDirectory, ports, secrets }: PartsInput): PartDefinition {
  return {
    name: 'payments',
    command: process.execPath,
    args: [join(ROOT, 'dev/payment-sandbox/main.ts')],
    environment: {
      ...baseEnvironment(),
      PORT: String(ports.payments),
      SECRET: paymentSandboxSecret(secrets),
      STATE_FILE: join(dataDirectory, 'payments.json'),
      CARD_CALLBACK_URL: cardCallbackUrl(ports),
    },
    logFile: logFile(dataDirectory, 'payments'),
    isReady: (signal) => isResponding(`http://${LOOPBACK}:${ports.payments}/health`, signal),
    ready_ms_max: 90_000,
  }
}

function defineStorage({ dataDirectory, ports, secrets }: PartsInput): PartDefinition {
  return {
    name: 'storage',
    command: process.execPath,
    args: [join(ROOT, 'dev/local-storage/main.ts')],
    environment: {
      ...baseEnvironment(),
      PORT: String(ports.storage),
      TARGET: publicUrl(ports),
      S3_ACCESS_KEY_ID: secrets.s3_access_key_id,
      S3_SECRET_ACCESS_KEY: secrets.s3_secret_access_key,
    },
    logFile: logFile(dataDirectory, 'storage'),
    isReady: (signal) => isResponding(`http://${LOOPBACK}:${ports.storage}/health`, signal),
    ready_ms_max: 90_000,
  }
}

function defineFleet({ dataDirectory, ports, secrets, fleet, fleet_program }: PartsInput): PartDefinition {
  return {
    name: 'fleet',
    command: process.execPath,
    args: [...NODE_FLAGS, fleet_program ?? join(ROOT, 'media-backend/index.ts')],
    environment: {
      ...baseEnvironment(),
      ENVIRONMENT: 'local',
      PORT: String(ports.fleet),
      HOST: LOOPBACK,
      REDIS_URL: `redis://${LOOPBACK}:${ports.redis}`,
      EDGE_URL: `http://${LOOPBACK}:${ports.edge}`,
      FLEET_KEYS: secrets.fleet_keys,
      S3_ENDPOINT: storageUrl(ports),
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: secrets.s3_access_key_id,
      S3_SECRET_ACCESS_KEY: secrets.s3_secret_access_key,
      WORK_DIRECTORY: join(dataDirectory, 'work'),
      LOCK_SECONDS: '10',
      ...fleet,
    },
    logFile: logFile(dataDirectory, 'fleet'),
    isReady: (signal) => isResponding(`http://${LOOPBACK}:${ports.fleet}/health`, signal),
    ready_ms_max: 90_000,
  }
}

function defineEdge({
  dataDirectory,
  ports,
  secrets,
  edge,
  edge_command = wranglerDev,
}: PartsInput): PartDefinition {
  const directory = join(dataDirectory, 'edge')
  const config = writeWranglerConfig({ directory, ports, secrets, vars: edge })
  return {
    name: 'edge',
    command: process.execPath,
    args: edge_command(config, ports.edge, join(directory, 'state')),
    environment: {
      ...baseEnvironment(),
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      // Hiding the banner also disables wrangler's update check against the npm registry.
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      // Uses a placeholder for request.cf instead of fetching one from the network.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // Disables the tail Worker that records every call within a request in a wrangler database. It does not exist
      // in production, nothing reads it locally, and it takes more time than the requests themselves.
      X_LOCAL_OBSERVABILITY: 'false',
      // Keeps this Worker out of the registry through which a user's local Workers find each other.
      WRANGLER_REGISTRY_PATH: join(directory, 'registry'),
    },
    logFile: logFile(dataDirectory, 'edge'),
    isReady: (signal) => isResponding(`http://${LOOPBACK}:${ports.edge}/api/health`, signal),
    ready_ms_max: 120_000,
  }
}

function wranglerDev(config: string, port: number, state: string): string[] {
  const listen = ['--ip', LOOPBACK, '--port', String(port), '--inspector-port', '0']
  const quiet = ['--show-interactive-dev-session=false', '--log-level', 'info']
  return [installedProgram('wrangler'), 'dev', '--config', config, '--persist-to', state, ...listen, ...quiet]
}

/** Runs the Worker as built for a deployment, without the parts of `wrangler dev` that production does not have. */
export const runBuiltWorker: EdgeCommand = (config, port, state) => [
  join(ROOT, 'dev/system/built-worker.ts'),
  config,
  String(port),
  state,
]

function logFile(dataDirectory: string, name: PartName): string {
  return join(dataDirectory, 'logs', `${name}.log`)
}

/** Passes on only a few of the caller's environment variables, so a part behaves the same on every machine. */
function baseEnvironment(): Record<string, string> {
  const system = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH']
  // A mail server or a proxy can have a certificate from a private authority.
  const certificates = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']
  // The compile cache changes only the startup time. Tests start the same parts many times.
  const inherited = [...system, ...certificates, 'NODE_COMPILE_CACHE']
  const entries = inherited.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(entries), NO_COLOR: '1' }
}
