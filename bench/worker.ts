import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { IMAGE_CONCURRENCY, IMAGES_PER_ROUND, startBareLoop } from './bare-loop.ts'
import { makePhoto, RESIZE_PARAMS } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'

/** Measures the fleet alone. Redis and sharp are real, while plain HTTP servers stand in for storage and the edge. */
export const worker: Measure = {
  name: 'worker',
  title: `image/resize jobs through the fleet alone, against a bare sharp loop, concurrency ${IMAGE_CONCURRENCY}`,
  unit: 'jobs/s',
  goal: 0.9,
  direction: 'at least',
  needsSystem: false,
  async open(bench) {
    const folder = join(bench.folder, 'worker')
    await mkdir(folder)
    const photo = await makePhoto(folder)
    const bytes = await readFile(photo)
    const context = await startTestContext()
    const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30' })
    const loop = await startBareLoop(folder, photo)
    const measureJobs = (count: number) => measureFleet(context, fleet.port, bytes, count)
    await loop.measure(IMAGE_CONCURRENCY * 2)
    await measureJobs(IMAGE_CONCURRENCY * 2)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => measureJobs(IMAGES_PER_ROUND),
          () => loop.measure(IMAGES_PER_ROUND),
        ),
      async close() {
        await loop.close()
        await fleet.end('SIGTERM')
        await context.close()
      },
    }
  },
}

/** Measures the number of jobs per second, from the intake request to the last report. */
async function measureFleet(
  context: TestContext,
  port: number,
  photo: Buffer,
  count: number,
): Promise<number> {
  const jobs = Array.from({ length: count }, () => {
    const job_id = `bench-${crypto.randomUUID()}`
    return context.dispatch(photo, { job_id, params: { ...RESIZE_PARAMS } })
  })
  const finished = Promise.withResolvers<number>()
  let remaining = count
  context.edge.answer = (report) => {
    if (report.type !== 'job.finished') return { status: 200, continue: true }
    if (report.outcome.status === 'failed') finished.reject(new Error(report.outcome.error))
    remaining -= 1
    if (remaining === 0) finished.resolve(performance.now())
    return { status: 200, continue: false }
  }
  const start = performance.now()
  const { status } = await context.post(port, '/jobs', { jobs })
  if (status !== 202) throw new Error(`The intake responded with status ${status}`)
  const seconds = ((await finished.promise) - start) / 1000
  context.edge.received.length = 0
  context.storage.objects.clear()
  return count / seconds
}
