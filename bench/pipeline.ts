import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { runFleetJob } from './fleet-job.ts'
import { makeBenchClip } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'

const CLIP_SECONDS = 4
const EDITS = [
  { operation_key: 'resize', params: { width: 854 } },
  { operation_key: 'flip', params: {} },
  { operation_key: 'speed', params: { factor: 2 } },
] as const

/** Compares one job that makes three edits with three jobs that each process the output of the previous one. */
export const pipeline: Measure = {
  name: 'pipeline',
  title: `${EDITS.map(({ operation_key }) => operation_key).join(', ')} as one job, against three sequential jobs`,
  unit: 's',
  goal: 0.85,
  direction: 'at most',
  needsSystem: false,
  async open(bench) {
    const folder = join(bench.folder, 'pipeline')
    await mkdir(folder)
    const input = await readFile(await makeBenchClip(folder, CLIP_SECONDS))
    const context = await startTestContext()
    const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30' })
    return {
      round: (order) =>
        measureBoth(
          order,
          () => timeSingleJob(context, fleet.port, input),
          () => timeSeparateJobs(context, fleet.port, input),
        ),
      async close() {
        await fleet.end('SIGTERM')
        await context.close()
      },
    }
  },
}

async function timeSingleJob(context: TestContext, port: number, input: Buffer): Promise<number> {
  const [first, ...rest] = EDITS
  const jobSpec = { service_slug: 'video', ...first, pipeline: rest.map((edit) => ({ ...edit })) } as const
  return (await runFleetJob(context, port, input, jobSpec)).seconds
}

async function timeSeparateJobs(context: TestContext, port: number, input: Buffer): Promise<number> {
  let total_seconds = 0
  let content = input
  for (const edit of EDITS) {
    const result = await runFleetJob(context, port, content, { service_slug: 'video', ...edit })
    total_seconds += result.seconds
    content = result.content
  }
  return total_seconds
}
