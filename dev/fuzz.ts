import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { fuzzSamples, type MutatedJob, mutatedJob } from '../media-backend/testing/mutate.ts'
import { countProcesses } from '../media-backend/testing/processes.ts'
import { FAILURES } from '../shared/failures/failures.ts'

/**
 * `npm run fuzz -- --count 1000 --seed 1 --from 0`: runs jobs on corrupt files in a separate fleet with its own
 * Redis and storage. Each job must end on its first attempt: done, or rejected because of its file. Workers must
 * not crash, and no files or processes may be left behind. A seed and a job number reproduce a fault.
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
  outcomes: Map<string, number>
  faults: string[]
}

function countOutcome({ outcomes }: Tally, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

async function runOne(
  job: MutatedJob,
  context: TestContext,
  fleet: FleetProcess,
  tally: Tally,
): Promise<void> {
  const { outcome, fence } = await context.run(fleet.port, context.dispatch(job.input, job.spec))
  countOutcome(tally, outcome.status === 'done' ? 'done' : outcome.error_code)
  if (fence !== 1001) tally.faults.push(`${job.name}: it took ${fence - 1000} attempts`)
  if (
    outcome.status === 'failed' &&
    (outcome.error === FAILURES.internal.text.en || outcome.reason?.name === 'time_limit')
  )
    tally.faults.push(`${job.name}: ${outcome.error}`)
}

async function runAll(context: TestContext, fleet: FleetProcess): Promise<Tally> {
  const tally: Tally = { outcomes: new Map(), faults: [] }
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
  const startedAt = performance.now()
  const { outcomes, faults } = await runAll(context, fleet)
  await context.waitForEmptyFolder().catch(() => faults.push('files remain in the work directory'))
  if ((await countProcesses('', `${context.work_directory}/`)) > 0) faults.push('processes remain')
  await context.ready(fleet.port).catch(() => faults.push('the fleet is not ready'))
  if ((await fleet.end('SIGTERM')) !== 0) faults.push('the fleet did not exit with code 0')
  console.log(`${count} corrupt files, seed ${seed}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  for (const [outcome, jobs] of [...outcomes].sort(([, one], [, other]) => other - one))
    console.log(`${jobs} ${outcome}`)
  for (const fault of faults) console.log(`FAULT ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await fleet.end('SIGKILL')
  await context.close()
}
