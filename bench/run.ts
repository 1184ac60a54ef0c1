import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargeGrants, chargeLedger } from './charge.ts'
import { compressBytes, hasVideos } from './compress-bytes.ts'
import { cuts, cutsHevc, cutsOpen } from './cuts.ts'
import { encode } from './encode.ts'
import { events } from './events.ts'
import { images } from './images.ts'
import { lanesImage, lanesThumbnail } from './lanes.ts'
import { login } from './login.ts'
import type { Measure, OpenMeasure, Round } from './measure.ts'
import { memory } from './memory.ts'
import { lanesMixed } from './mixed.ts'
import { ping } from './ping.ts'
import { pipeline } from './pipeline.ts'
import { poll } from './poll.ts'
import { remux } from './remux.ts'
import { describeMachine, formatNumber, printResults, writeResults } from './report.ts'
import { speechMeasures } from './speech.ts'
import { lanesSpread } from './spread.ts'
import { type Result, summarize } from './statistics.ts'
import { submit } from './submit.ts'
import { type Bench, type BenchSystem, startBenchSystem } from './system.ts'
import { thumbnailBytes } from './thumbnail-bytes.ts'
import { worker } from './worker.ts'

/**
 * `npm run bench [-- name …]` measures the product's overhead over the bare tools that it uses. Results are ratios
 * of interleaved measurements within one run, so they can be compared across machines. The word error
 * rate of speech recognition is a ratio too.
 */
const MEASURES: readonly Measure[] = [
  ...[encode, cuts, cutsOpen, cutsHevc, images, worker, ping, submit, poll, events, login],
  ...[chargeGrants, chargeLedger],
  ...[remux, thumbnailBytes, ...(hasVideos() ? [compressBytes] : []), pipeline, memory],
  ...[lanesImage, lanesThumbnail, lanesSpread, lanesMixed],
  ...speechMeasures(),
]
const ROUNDS = 5

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort(new Error(name)))

try {
  const { selected, unknown } = selectMeasures(process.argv.slice(2))
  if (unknown.length > 0) {
    console.error(
      [`Unknown measure: ${unknown.join(', ')}. Available:`, ...MEASURES.map(describeMeasure)].join('\n'),
    )
    process.exitCode = 2
  } else await runBench(selected)
} catch (error) {
  console.error(interrupt.signal.aborted ? 'Interrupted' : error)
  process.exitCode = 1
}
// A measure that failed while it was prepared leaves programs behind, which would keep this one alive.
process.exit()

/** Selects measures by their name or a shared first word: `charge` selects `charge-grants` and `charge-ledger`. */
function selectMeasures(names: string[]): { selected: readonly Measure[]; unknown: string[] } {
  const isSelected = (measure: Measure, name: string) =>
    measure.name === name || measure.name.startsWith(`${name}-`)
  const unknown = names.filter((name) => !MEASURES.some((measure) => isSelected(measure, name)))
  if (names.length === 0) return { selected: MEASURES, unknown }
  return { selected: MEASURES.filter((measure) => names.some((name) => isSelected(measure, name))), unknown }
}

/** Describes what a measure compares, and the ratio that is its goal. */
function describeMeasure({ name, title, goal, direction }: Measure): string {
  return `${name}: ${title}; goal ${direction} ${goal}`
}

async function runBench(measures: readonly Measure[]): Promise<void> {
  const machine = describeMachine()
  const folder = mkdtempSync(join(tmpdir(), 'media-bench-'))
  const cleanups: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const system = measures.some(({ needsSystem }) => needsSystem)
      ? await startBenchSystem(join(folder, 'system'), interrupt.signal)
      : null
    if (system !== null) cleanups.push(system.stop)
    const opened = await openAll(measures, { folder, system: () => requireSystem(system) }, cleanups)
    const results = await Promise.race([runRounds(opened), rejectOnInterrupt()])
    printResults(results)
    console.log(`\nResults written to ${writeResults(machine, results)}`)
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

/** Rejects on SIGINT or SIGTERM, even in the middle of a long round. */
function rejectOnInterrupt(): Promise<never> {
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
  cleanups: (() => Promise<void>)[],
): Promise<Opened[]> {
  const opened: Opened[] = []
  for (const measure of measures) {
    interrupt.signal.throwIfAborted()
    console.log(`Preparing ${describeMeasure(measure)}`)
    const open = await measure.open(bench)
    cleanups.push(open.close)
    opened.push([measure, open])
  }
  return opened
}

/** Runs one round of every measure in turn, so a temporary slowdown affects all of them. */
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
  const sides = `${formatNumber(ours)} against ${formatNumber(reference)} ${unit}`
  return `Round ${number} of ${rounds}  ${name.padEnd(6)}  ${sides}, ratio ${(ours / reference).toFixed(3)}`
}

function requireSystem(system: BenchSystem | null): BenchSystem {
  if (system === null) throw new Error('This measure uses the system. Set its `needsSystem`.')
  return system
}
