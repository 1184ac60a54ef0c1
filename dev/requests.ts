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
 * `npm run requests -- --count 500000 --seed 1 --from 0`: requests generated from the document at
 * /openapi.json, valid, nearly valid and broken, by callers of every kind, against a system of its own. Each
 * must be answered as the document says, and none by a 5xx. What a seed found comes again with the same seed
 * and number: `--from NUMBER --count 1`.
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
  console.error('--count, --seed and --from are whole numbers')
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
    console.log(`${sent} requests, ${Math.round(sent / seconds)} a second, ${faults.length} faults`)
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
    `${sent} requests from seed ${seed}: ${Math.round(seconds)} s, ${Math.round(sent / seconds)} a second`,
  )
  const answers = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${status}: ${times}`)
  console.log(answers.join(', '))
  const never = [...successes].filter(([, times]) => times === 0).map(([name]) => name)
  console.log(`${successes.size - never.length} of ${successes.size} endpoints succeeded at least once`)
  if (never.length > 0) console.log(`not once: ${never.join(', ')}`)
  if (lost > 0) console.log(`${lost} times the development server lost its connection to the Worker`)
  console.log(`${faults.length} faults`)
}
