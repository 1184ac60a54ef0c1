import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { readTreeCpu } from '../dev/costs/cpu.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { type Floor, IMAGE_CONCURRENCY, IMAGES_PER_ROUND, startFloor } from './floor.ts'
import { makePhoto, RESIZE_PARAMS } from './inputs.ts'
import { type Measure, measureBoth } from './measure.ts'

/**
 * Measures what the fleet adds to the work on an image. The storage and the edge are plain HTTP servers in the process
 * of the bench, whose CPU time counts on neither side; that of Redis counts as the fleet's.
 */
export const worker: Measure = {
  name: 'worker',
  title: `image/resize jobs of the fleet and Redis, against GET, sharp and PUT in one process, concurrency ${IMAGE_CONCURRENCY}`,
  unit: 'jobs per CPU second',
  goal: 0.95,
  direction: 'at least',
  needsSystem: false,
  async open(bench) {
    const folder = join(bench.folder, 'worker')
    await mkdir(folder)
    const photo = await readFile(await makePhoto(folder))
    const context = await startTestContext()
    const redis = new Redis(context.redis.url)
    const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30' })
    const floor = startFloor()
    const readFleetCpu = async () => (await readTreeCpu(fleet.pid)) + (await readRedisCpu(redis))
    const measureFleet = async (count: number) => {
      const before = await readFleetCpu()
      await runJobs(context, fleet.port, photo, count)
      return count / ((await readFleetCpu()) - before)
    }
    await measureFleet(IMAGE_CONCURRENCY * 2)
    await measureFloor(floor, context, photo, IMAGE_CONCURRENCY * 2)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => measureFleet(IMAGES_PER_ROUND),
          () => measureFloor(floor, context, photo, IMAGES_PER_ROUND),
        ),
      async close() {
        await floor.close()
        await fleet.end('SIGTERM')
        redis.disconnect()
        await context.close()
      },
    }
  },
}

async function readRedisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const [, system] = /^used_cpu_sys:([\d.]+)/m.exec(info) ?? []
  const [, user] = /^used_cpu_user:([\d.]+)/m.exec(info) ?? []
  return Number(system) + Number(user)
}

async function measureFloor(
  floor: Floor,
  { storage }: TestContext,
  photo: Buffer,
  count: number,
): Promise<number> {
  storage.objects.set('photo', photo)
  const base = `${storage.url}/media-files`
  const images = Array.from({ length: count }, (_, index) => ({
    get: `${base}/photo`,
    put: `${base}/${index}.jpg`,
  }))
  const { cpu_seconds } = await floor.run(images)
  if (storage.objects.size !== count + 1) throw new Error('The floor did not store all results')
  storage.objects.clear()
  return count / cpu_seconds
}

/** Runs jobs from the intake request to the last report. */
async function runJobs(context: TestContext, port: number, photo: Buffer, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, () => {
    const job_id = `bench-${crypto.randomUUID()}`
    return context.dispatch(photo, { job_id, params: { ...RESIZE_PARAMS } })
  })
  const finished = Promise.withResolvers<void>()
  let remaining = count
  context.edge.answer = (report) => {
    if (report.type !== 'job.finished') return { status: 200, continue: true }
    if (report.outcome.status === 'failed') finished.reject(new Error(report.outcome.error))
    remaining -= 1
    if (remaining === 0) finished.resolve()
    return { status: 200, continue: false }
  }
  const { status } = await context.post(port, '/jobs', { jobs })
  if (status !== 202) throw new Error(`The intake responded with status ${status}`)
  await finished.promise
  context.edge.received.length = 0
  context.storage.objects.clear()
}
