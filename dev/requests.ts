import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatFault } from './requests/format.ts'
import { MESSENGER } from './requests/messenger.ts'
import { type Fault, runRequests, type Tally } from './requests/run.ts'
import { findFreePorts } from './system/ports.ts'
import { GENEROUS_LIMITS } from './system/settings.ts'
import { describeExit, startSystem } from './system/system.ts'

/**
 * `npm run requests -- --count 500000 --seed 1 --from 0`: generates valid, nearly valid, and malformed requests
 * from /openapi.json and sends them to a separate system as every kind of caller. Each response must match the
 * document, and none may have a 5xx status. The seed and `--from NUMBER --count 1` reproduce a fault.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const [count, seed, from] = [Number(values.count), Number(values.seed), Number(values.from)]
if (![count, seed, from].every(Number.isSafeInteger)) {
  console.error('--count, --seed and --from must be integers.')
  process.exit(2)
}
const FAULTS_SHOWN = 20

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const dataDirectory = await mkdtemp(join(tmpdir(), 'requests-system-'))
const system = await startSystem({
  ports: await findFreePorts(),
  dataDirectory,
  edge: MESSENGER,
  settings: GENEROUS_LIMITS,
  signal: stopping.signal,
  onExit: (part, reason) => console.error(describeExit(part, reason)),
})
try {
  const target = { ...system, session_keys: system.secrets.session_keys }
  const onProgress = ({ sent, seconds, faults }: Tally) =>
    console.log(`${sent} requests, ${Math.round(sent / seconds)} per second, ${faults.length} faults`)
  let shown = 0
  const onFault = (fault: Fault) => {
    if (++shown <= FAULTS_SHOWN) console.log(`FAULT ${formatFault(fault, seed)}`)
  }
  const { signal } = stopping
  const tally = await runRequests(target, { seed, from, count, onProgress, onFault, signal })
  print(tally)
  process.exitCode = tally.faults.length === 0 ? 0 : 1
} finally {
  await system.stop()
  await rm(dataDirectory, { recursive: true, force: true })
}

function print({ sent, seconds, statuses, successes, faults, lost }: Tally): void {
  console.log(
    `${sent} requests from seed ${seed}: ${Math.round(seconds)} s, ${Math.round(sent / seconds)} per second`,
  )
  const statusCounts = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${status}: ${times}`)
  console.log(statusCounts.join(', '))
  const unsuccessful = [...successes].filter(([, times]) => times === 0).map(([name]) => name)
  console.log(
    `${successes.size - unsuccessful.length} of ${successes.size} endpoints succeeded at least once`,
  )
  if (unsuccessful.length > 0) console.log(`never succeeded: ${unsuccessful.join(', ')}`)
  if (lost > 0) console.log(`The development server lost its connection to the Worker ${lost} times`)
  console.log(`${faults.length} faults`)
}
