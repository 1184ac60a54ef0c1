import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { INTERNAL_ERROR_MESSAGE } from '../media-backend/runtime/failure.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { fuzzSamples, type MutatedJob, mutatedJob } from '../media-backend/testing/mutate.ts'
import { countProcesses } from '../media-backend/testing/processes.ts'

/**
 * `npm run fuzz -- --count 1000 --seed 1 --from 0`: broken files through a fleet of its own, with Redis and
 * storage around it. Each job must end at its first attempt, done or refused for its file; no worker may
 * die, and nothing may be left. What a seed found comes again with the same seed and number.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const [count, seed, from] = [Number(values.count), Number(values.seed), Number(values.from)]
const JOB_SECONDS_MAX = 60

interface Tally {
  ends: Map<string, number>
  faults: string[]
}

function note({ ends }: Tally, end: string): void {
  ends.set(end, (ends.get(end) ?? 0) + 1)
}

async function runOne(
  job: MutatedJob,
  context: TestContext,
  fleet: FleetProcess,
  tally: Tally,
): Promise<void> {
  const { outcome, fence } = await context.run(fleet.port, context.dispatch(job.input, job.spec))
  note(tally, outcome.status === 'done' ? 'done' : outcome.error_code)
  if (fence !== 1001) tally.faults.push(`${job.name}: it took ${fence - 1000} attempts`)
  if (
    outcome.status === 'failed' &&
    (outcome.error === INTERNAL_ERROR_MESSAGE || outcome.error_code === 'time_limit')
  )
    tally.faults.push(`${job.name}: ${outcome.error}`)
}

async function runAll(context: TestContext, fleet: FleetProcess): Promise<Tally> {
  const tally: Tally = { ends: new Map(), faults: [] }
  const samples = await fuzzSamples()
  let next = from
  const work = async () => {
    while (next < from + count) {
      const job = mutatedJob(samples, seed, next++)
      await runOne(job, context, fleet, tally).catch((error: unknown) =>
        tally.faults.push(`${job.name}: ${error}`),
      )
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return tally
}

const context = await startTestContext()
const fleet = await spawnFleet({ ...context.variables, JOB_SECONDS_MAX: String(JOB_SECONDS_MAX) })
try {
  const begun = performance.now()
  const { ends, faults } = await runAll(context, fleet)
  await context.waitForEmptyFolder().catch(() => faults.push('files were left in the work directory'))
  if ((await countProcesses('', `${context.work_directory}/`)) > 0) faults.push('processes were left')
  await context.ready(fleet.port).catch(() => faults.push('the fleet is not alive any more'))
  if ((await fleet.end('SIGTERM')) !== 0) faults.push('the fleet did not end well')
  console.log(`${count} broken files, seed ${seed}: ${Math.round((performance.now() - begun) / 1000)} s`)
  for (const [end, jobs] of [...ends].sort(([, one], [, other]) => other - one)) console.log(`${jobs} ${end}`)
  for (const fault of faults) console.log(`FAULT ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await fleet.end('SIGKILL')
  await context.close()
}
