import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestContext } from '../media-backend/testing/context.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { runFleetJob } from './fleet-job.ts'
import { makeBenchClip } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'
import { medianOf } from './statistics.ts'

const run = promisify(execFile)
const CLIP_SECONDS = 2
const JOBS_PER_ROUND = 7

/**
 * Measures the overhead of a remux. Compares a whole job, from the intake request to the last report, with one run
 * each of ffprobe and ffmpeg on the same file. The goal of 3 allows the overhead to be twice the bare work.
 */
export const remux: Measure = {
  name: 'remux',
  title:
    'video/faststart through the fleet alone, against one run each of ffprobe and ffmpeg on the same file',
  unit: 's',
  goal: 3,
  direction: 'at most',
  needsSystem: false,
  async open(bench) {
    const folder = join(bench.folder, 'remux')
    await mkdir(folder)
    const clip = await makeBenchClip(folder, CLIP_SECONDS)
    const input = await readFile(clip)
    const context = await startTestContext()
    const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30' })
    const jobSpec = { service_slug: 'video', operation_key: 'faststart', params: {} } as const
    const timeJob = async () => (await runFleetJob(context, fleet.port, input, jobSpec)).seconds
    await timeJob()
    return {
      round: (order) =>
        measureBoth(
          order,
          () => medianTime(timeJob),
          () => medianTime(() => timePrograms(clip, join(folder, 'fast.mp4'))),
        ),
      async close() {
        await fleet.end('SIGTERM')
        await context.close()
      },
    }
  },
}

async function medianTime(measureSeconds: () => Promise<number>): Promise<number> {
  const seconds: number[] = []
  for (let job = 0; job < JOBS_PER_ROUND; job += 1) seconds.push(await measureSeconds())
  return medianOf(seconds)
}

async function timePrograms(clip: string, output: string): Promise<number> {
  const start = performance.now()
  await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', clip])
  const copy = ['-map', '0:0', '-map', '0:1', '-c', 'copy', '-movflags', '+faststart']
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', clip, ...copy, output])
  return (performance.now() - start) / 1000
}
