import { parseArgs } from 'node:util'
import { openFaultContext } from './faults/context.ts'
import { type CutsTally, runCuts } from './faults/cuts.ts'
import { forgeReports } from './faults/forge.ts'
import { deliverReports } from './faults/reports.ts'
import { type RoundsTally, runRounds } from './faults/rounds.ts'

/**
 * `npm run faults -- --seed 1 --rounds 100 --cuts 100 --deliveries 1000 --forged 10000`: breaks a system of its own while
 * it runs jobs. Kills a part in each round, while jobs run, cuts the connections on the way of a job, delivers repeated and reordered
 * reports, and forges reports. Afterwards every accepted job must have ended and be charged once. `--from NUMBER
 * --rounds 1` repeats a round of the seed.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '100' },
    cuts: { type: 'string', default: '100' },
    deliveries: { type: 'string', default: '1000' },
    forged: { type: 'string', default: '10000' },
  },
})
const numbers = [values.seed, values.from, values.rounds, values.cuts, values.deliveries, values.forged].map(
  Number,
)
if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error(
    '--seed, --from, --rounds, --cuts, --deliveries and --forged must be integers that are not negative.',
  )
  process.exit(2)
}
const [seed = 1, from = 0, rounds = 0, cuts = 0, deliveries = 0, forged = 0] = numbers

let started_at = 0
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const context = await openFaultContext(stopping.signal)
try {
  const forgery = await forgeReports(context, seed, forged)
  console.log(`${forgery.sent} forged reports: ${forgery.violations.length} not refused`)
  const delivery = await deliverReports(context, seed, deliveries)
  console.log(
    `${delivery.sent} repeated and reordered reports: ${delivery.violations.length} differ from the model`,
  )
  const { data_directory: folder, lines } = context
  const cut = await runCuts({ ...context, folder }, lines, { seed, count: cuts }, stopping.signal)
  console.log(`${describeCuts(cut)}: ${cut.violations.length} violations`)
  started_at = performance.now()
  const tally = await runRounds(context, { seed, from, count: rounds, onWave: printWave }, stopping.signal)
  console.log(describe(tally))
  const violations = [...forgery.violations, ...delivery.violations, ...cut.violations, ...tally.violations]
  for (const violation of violations.slice(0, 20)) console.log(`FAULT ${violation}`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await context.stop()
}

function printWave(tally: RoundsTally): void {
  const seconds = (performance.now() - started_at) / 1000
  console.log(`${describe(tally)}, ${(seconds / tally.rounds).toFixed(2)} s a round`)
}

function describeCuts({ cuts, places }: CutsTally): string {
  return `${cuts} cuts (${[...places].map(([place, count]) => `${place} ${count}`).join(', ')})`
}

function describe({ rounds, accepted, unanswered, faults, violations }: RoundsTally): string {
  const counts = [...faults].map(([fault, count]) => `${fault} ${count}`).join(', ')
  return `${rounds} rounds (${counts}): ${accepted} jobs accepted, ${unanswered} submissions unanswered, ${violations.length} violations`
}
