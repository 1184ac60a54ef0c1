import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargeGrants, chargeLedger } from './charge.ts'
import { encode } from './encode.ts'
import { events } from './events.ts'
import { images } from './images.ts'
import { login } from './login.ts'
import type { Measure, OpenMeasure, Round } from './measure.ts'
import { memory } from './memory.ts'
import { ping } from './ping.ts'
import { pipeline } from './pipeline.ts'
import { poll } from './poll.ts'
import { remux } from './remux.ts'
import { describeMachine, describeNumber, printResults, writeResults } from './report.ts'
import { type Result, summarize } from './statistics.ts'
import { submit } from './submit.ts'
import { type Bench, type BenchSystem, startBenchSystem } from './system.ts'
import { thumbnailBytes } from './thumbnail-bytes.ts'
import { worker } from './worker.ts'

/**
 * `npm run bench [-- name …]`: how much the product costs over the bare tools under it, as ratios that
 * are measured in one run and interleaved, so that they hold on any machine.
 */
const MEASURES: readonly Measure[] = [
  ...[encode, images, worker, ping, submit, poll, events, login],
  ...[chargeGrants, chargeLedger],
  ...[remux, thumbnailBytes, pipeline, memory],
]
const ROUNDS = 5

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort(new Error(name)))

try {
  await runBench(choose(process.argv.slice(2)))
} catch (error) {
  console.error(interrupt.signal.aborted ? 'Interrupted' : error)
  process.exitCode = 1
}

/** By their names, or by the first word that several share: `charge` is all that is measured of charges. */
function choose(names: string[]): readonly Measure[] {
  const isChosen = (measure: Measure, name: string) =>
    measure.name === name || measure.name.startsWith(`${name}-`)
  const unknown = names.filter((name) => !MEASURES.some((measure) => isChosen(measure, name)))
  if (unknown.length > 0) {
    throw new Error(
      `no measure ${unknown.join(', ')}; there are ${MEASURES.map(({ name }) => name).join(', ')}`,
    )
  }
  if (names.length === 0) return MEASURES
  return MEASURES.filter((measure) => names.some((name) => isChosen(measure, name)))
}

async function runBench(measures: readonly Measure[]): Promise<void> {
  const machine = describeMachine()
  const folder = mkdtempSync(join(tmpdir(), 'media-bench-'))
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const system = measures.some(({ needsSystem }) => needsSystem)
      ? await startBenchSystem(join(folder, 'system'), interrupt.signal)
      : null
    if (system !== null) ends.push(system.stop)
    const opened = await openAll(measures, { folder, system: () => required(system) }, ends)
    const results = await Promise.race([runRounds(opened), interrupted()])
    printResults(results)
    console.log(`\nwritten to ${writeResults(machine, results)}`)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Rejects when the person ends the benchmark, also in the middle of a long round. */
function interrupted(): Promise<never> {
  const { signal } = interrupt
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}

type Opened = [Measure, OpenMeasure]

async function openAll(
  measures: readonly Measure[],
  bench: Bench,
  ends: (() => Promise<void>)[],
): Promise<Opened[]> {
  const opened: Opened[] = []
  for (const measure of measures) {
    interrupt.signal.throwIfAborted()
    console.log(`preparing ${measure.name}`)
    const open = await measure.open(bench)
    ends.push(open.close)
    opened.push([measure, open])
  }
  return opened
}

/** One round of every measure after the other: a slow spell of the machine is shared by all of them. */
async function runRounds(opened: readonly Opened[]): Promise<Result[]> {
  const rounds = new Map<Measure, Round[]>(opened.map(([measure]) => [measure, []]))
  for (let number = 1; number <= ROUNDS; number += 1) {
    for (const [measure, open] of opened) {
      if (number > (measure.rounds ?? ROUNDS)) continue
      interrupt.signal.throwIfAborted()
      const round = await open.round(number % 2 === 1 ? 'ours first' : 'reference first')
      rounds.get(measure)?.push(round)
      console.log(describeRound(number, measure, round))
    }
  }
  return opened.map(([measure]) => summarize(measure, rounds.get(measure) ?? []))
}

function describeRound(
  number: number,
  { name, unit, rounds = ROUNDS }: Measure,
  { ours, reference }: Round,
): string {
  const sides = `${describeNumber(ours)} against ${describeNumber(reference)} ${unit}`
  return `round ${number} of ${rounds}  ${name.padEnd(6)}  ${sides}, ratio ${(ours / reference).toFixed(3)}`
}

function required(system: BenchSystem | null): BenchSystem {
  if (system === null) throw new Error('this measure did not say that it needs the system')
  return system
}
