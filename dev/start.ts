import { join, relative } from 'node:path'
import { writeLocalFile } from './local.ts'
import { grantLocalCredits } from './system/local-credits.ts'
import { LOOPBACK, readPorts } from './system/ports.ts'
import { DATA_DIRECTORY, ROOT } from './system/root.ts'
import { describeExit, type System, startSystem } from './system/system.ts'
import { watchHealth } from './system/watch-health.ts'
import { clientStorageUrl } from './system/wrangler-config.ts'

/**
 * Runs the whole system until Ctrl-C. Also stops all parts on SIGTERM, when the terminal closes, when the parent
 * npm process exits, when a part exits, or when the edge stops responding.
 */
const PARENT_CHECK_MS = 1000
const dataDirectory = DATA_DIRECTORY
const startedAt = Date.now()
const startup = new AbortController()
let system: System | null = null
let isStopping = false

process.once('SIGINT', () => void stop('Stopping', 0))
process.once('SIGTERM', () => void stop('Stopping', 0))
process.once('SIGHUP', () => void stop('Stopping', 0))
// Later signals must not interrupt the shutdown, which has its own deadline.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) void stop('Stopping: the parent process has exited', 0)
}, PARENT_CHECK_MS).unref()

try {
  console.log('Starting')
  system = await startSystem({
    ports: readPorts(process.env),
    dataDirectory,
    fleet: pickVariables('WHISPER_MODELS_DIRECTORY', 'MEDIA_FETCH_ENABLED', 'ALLOW_PRIVATE_SOURCES'),
    edge: pickVariables('DNS_URL', 'ALLOW_PRIVATE_SOURCES'),
    account_databases: readCount(process.env.ACCOUNT_DATABASE_COUNT),
    signal: startup.signal,
    onExit: (part, reason) => void stop(describeExit(part, reason), 1),
  })
  await grantLocalCredits(`http://${LOOPBACK}:${system.ports.database}`, system.admin.email)
  writeLocalFile(dataDirectory, system)
  printSystem(system)
  const { edge } = system.parts
  const { HEALTH_RESPONSE_MS_MAX } = process.env
  watchHealth(
    `${system.api_url}/api/health`,
    (error) => void stop(`${edge.name} stopped responding: ${error}\n${edge.describeLog()}`, 1),
    HEALTH_RESPONSE_MS_MAX ? Number(HEALTH_RESPONSE_MS_MAX) : undefined,
  )
} catch (error) {
  if (!startup.signal.aborted) console.error(error instanceof Error ? error.message : error)
  process.exit(startup.signal.aborted ? 0 : 1)
}

/** Selects the caller's environment variables that override local values. */
function pickVariables(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function readCount(text = '0'): number {
  if (/^\d$/.test(text)) return Number(text)
  throw new Error('ACCOUNT_DATABASE_COUNT must be a number from 0 to 9.')
}

async function stop(message: string, code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  const print = code === 0 ? console.log : console.error
  print(`\n${message}`)
  // Aborting makes startSystem stop its parts and throw. The `catch` above then exits the process.
  if (system === null) return startup.abort()
  await system.stop()
  process.exit(code)
}

function printSystem({ api_url, mail_url, payments_url, admin, ports, account_databases }: System): void {
  const rows = [
    ['Studio', api_url],
    ['API', `${api_url}/api/v1`],
    ['Documentation', `${api_url}/docs`],
    ['Mail catcher', mail_url],
    ['Payment sandbox', payments_url],
    ['OpenID provider', `http://127.0.0.1:${ports.identity}`],
    ['Database (sqld)', `http://127.0.0.1:${ports.database}`],
    ...(account_databases.length > 0
      ? [['ACCOUNT_DATABASES', ` '${JSON.stringify(account_databases)}'`]]
      : []),
    ['Redis', `redis://127.0.0.1:${ports.redis}`],
    ['Storage (S3)', clientStorageUrl(ports)],
    ['Fleet', `http://127.0.0.1:${ports.fleet}`],
    ['Administrator', `${admin.email}, password in ${relative(ROOT, join(dataDirectory, 'local.json'))}`],
    ['Data and logs', `${relative(ROOT, dataDirectory)}, ${relative(ROOT, join(dataDirectory, 'logs'))}`],
  ]
  const lines = rows.map(([name, value]) => `  ${name?.padEnd(17)}${value}`).join('\n')
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(
    `\n${lines}\n\nReady after ${seconds} s. Try \`npm run demo\` in another terminal. Press Ctrl-C to stop.`,
  )
}
