import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_FLAGS } from '../../media-backend/runtime/node-flags.ts'
import { answers, pingRedis } from './checks.ts'
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

export type PartName = 'database' | 'redis' | 'mail' | 'identity' | 'payments' | 'fleet' | 'edge'

export interface PartsInput {
  dataDirectory: string
  ports: Ports
  secrets: Secrets
  /** Laid over what the fleet and the edge get: a test shortens a lock or sends callbacks another way. */
  fleet: Record<string, string>
  edge: Record<string, string>
}

/**
 * Without an interval sqld empties its log into the file after every 1,000 pages. A checkpoint that writers
 * wait for can leave the turn with one that is gone, and then all others wait, spinning, for good; a slow
 * disk or a hundred writers at once are enough. Writes are also twice as fast without.
 */
const CHECKPOINT_INTERVAL_S = 900

/** Each part of the system as data: what starts it and how it shows that it works. */
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
    fleet: defineFleet(input),
    edge: defineEdge(input),
  }
}

function defineDatabase({ dataDirectory, ports }: PartsInput): PartDefinition {
  const address = `${LOOPBACK}:${ports.database}`
  return {
    name: 'database',
    command: SQLD,
    args: [
      '--no-welcome',
      ...['--db-path', join(dataDirectory, 'database')],
      ...['--http-listen-addr', address],
      ...['--checkpoint-interval-s', String(CHECKPOINT_INTERVAL_S)],
    ],
    environment: baseEnvironment(),
    logFile: logFile(dataDirectory, 'database'),
    isReady: (signal) => answers(`http://${address}/health`, signal),
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
    // The fleet's queue lives here: under pressure a write must fail, never an old job vanish.
    'maxmemory-policy': 'noeviction',
  }
  return {
    name: 'redis',
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    environment: baseEnvironment(),
    logFile: logFile(dataDirectory, 'redis'),
    isReady: (signal) => pingRedis(ports.redis, signal),
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
    isReady: (signal) => answers(`http://${LOOPBACK}:${ports.mail}/api/healthz`, signal),
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
      answers(`http://${LOOPBACK}:${ports.identity}/.well-known/openid-configuration`, signal),
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
    isReady: (signal) => answers(`http://${LOOPBACK}:${ports.payments}/health`, signal),
    ready_ms_max: 90_000,
  }
}

function defineFleet({ dataDirectory, ports, secrets, fleet }: PartsInput): PartDefinition {
  return {
    name: 'fleet',
    command: process.execPath,
    args: [...NODE_FLAGS, join(ROOT, 'media-backend/index.ts')],
    environment: {
      ...baseEnvironment(),
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
    isReady: (signal) => answers(`http://${LOOPBACK}:${ports.fleet}/health`, signal),
    ready_ms_max: 90_000,
  }
}

function defineEdge({ dataDirectory, ports, secrets, edge }: PartsInput): PartDefinition {
  const directory = join(dataDirectory, 'edge')
  const config = writeWranglerConfig({ directory, ports, secrets, vars: edge })
  const listen = ['--ip', LOOPBACK, '--port', String(ports.edge), '--inspector-port', '0']
  const quiet = ['--show-interactive-dev-session=false', '--log-level', 'info']
  return {
    name: 'edge',
    command: process.execPath,
    args: [
      installedProgram('wrangler'),
      'dev',
      '--config',
      config,
      '--persist-to',
      join(directory, 'state'),
      ...listen,
      ...quiet,
    ],
    environment: {
      ...baseEnvironment(),
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      // Without its banner wrangler does not ask the registry for a newer version.
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      // A placeholder for request.cf does locally; nothing is asked of the network.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // Else a tail Worker writes every call that a request makes into a database of wrangler's own: it is not
      // there in production, nobody looks at it here, and it takes more time than the requests themselves.
      X_LOCAL_OBSERVABILITY: 'false',
      // Keeps this Worker out of the list through which all local Workers of a person find each other.
      WRANGLER_REGISTRY_PATH: join(directory, 'registry'),
    },
    logFile: logFile(dataDirectory, 'edge'),
    isReady: (signal) => answers(`http://${LOOPBACK}:${ports.edge}/api/health`, signal),
    ready_ms_max: 120_000,
  }
}

function logFile(dataDirectory: string, name: PartName): string {
  return join(dataDirectory, 'logs', `${name}.log`)
}

/** Little of the caller's environment: a part behaves the same whoever starts it. */
function baseEnvironment(): Record<string, string> {
  const system = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH']
  // Whom it trusts is the machine's matter: a mail server or a proxy may have a certificate of the house.
  const trust = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']
  // Where compiled code is kept says only how soon a part runs: tests start the same ones again and again.
  const kept = [...system, ...trust, 'NODE_COMPILE_CACHE']
  const entries = kept.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(entries), NO_COLOR: '1' }
}
