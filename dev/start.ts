import { join, relative } from 'node:path'
import { writeLocalFile } from './local.ts'
import { giveLocalCredits } from './system/local-credits.ts'
import { LOOPBACK, readPorts } from './system/ports.ts'
import { DATA_DIRECTORY, ROOT } from './system/root.ts'
import { describeDeath, type System, startSystem } from './system/system.ts'
import { watchAnswers } from './system/watch-answers.ts'

/**
 * Runs the whole system until Ctrl-C. Ends, with everything that it started, also on SIGTERM, when the
 * terminal closes, when the npm above it is gone, and when one of the parts dies or the edge stops answering.
 */
const PARENT_CHECK_MS = 1000
const dataDirectory = DATA_DIRECTORY
const begun = Date.now()
const starting = new AbortController()
let system: System | null = null
let ending = false

process.once('SIGINT', () => void end('Stopping', 0))
process.once('SIGTERM', () => void end('Stopping', 0))
process.once('SIGHUP', () => void end('Stopping', 0))
// Later signals must not cut the stopping short: it has its own deadline.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) void end('Stopping: the process that started this one is gone', 0)
}, PARENT_CHECK_MS).unref()

try {
  console.log('Starting')
  system = await startSystem({
    ports: readPorts(process.env),
    dataDirectory,
    fleet: pick('WHISPER_MODELS_DIRECTORY', 'MEDIA_FETCH_ENABLED', 'ALLOW_PRIVATE_SOURCES'),
    edge: pick('DNS_URL', 'ALLOW_PRIVATE_SOURCES'),
    signal: starting.signal,
    onDeath: (part, how) => void end(describeDeath(part, how), 1),
  })
  await giveLocalCredits(`http://${LOOPBACK}:${system.ports.database}`, system.admin.email)
  writeLocalFile(dataDirectory, system)
  printSystem(system)
  const { edge } = system.parts
  watchAnswers(
    `${system.api_url}/api/health`,
    (error) => void end(`${edge.name} does not answer any more: ${error}\n${edge.describeLog()}`, 1),
  )
} catch (error) {
  if (!starting.signal.aborted) console.error(error instanceof Error ? error.message : error)
  process.exit(starting.signal.aborted ? 0 : 1)
}

/** What the operator may set of the fleet and the edge here; all else has its local value. */
function pick(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

async function end(sentence: string, code: number): Promise<void> {
  if (ending) return
  ending = true
  const print = code === 0 ? console.log : console.error
  print(`\n${sentence}`)
  // A system that is still starting ends itself, and the catch above exits.
  if (system === null) return starting.abort()
  await system.stop()
  process.exit(code)
}

function printSystem({ api_url, mail_url, payments_url, admin, ports }: System): void {
  const rows = [
    ['API', `${api_url}/api/v1`],
    ['Documentation', `${api_url}/docs`],
    ['Mail catcher', mail_url],
    ['Payment sandbox', payments_url],
    ['OpenID provider', `http://127.0.0.1:${ports.identity}`],
    ['Database (sqld)', `http://127.0.0.1:${ports.database}`],
    ['Redis', `redis://127.0.0.1:${ports.redis}`],
    ['Fleet', `http://127.0.0.1:${ports.fleet}`],
    ['Administrator', `${admin.email}, password in ${relative(ROOT, join(dataDirectory, 'local.json'))}`],
    ['Data and logs', `${relative(ROOT, dataDirectory)}, ${relative(ROOT, join(dataDirectory, 'logs'))}`],
  ]
  const lines = rows.map(([name, value]) => `  ${name?.padEnd(17)}${value}`).join('\n')
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  console.log(
    `\n${lines}\n\nReady after ${seconds} s. Try \`npm run demo\` in another terminal. Ctrl-C ends everything.`,
  )
}
