import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../dev/client.ts'
import { type Floor, IMAGE_CONCURRENCY, IMAGES_PER_ROUND, startFloor } from './floor.ts'
import { makePhoto, RESIZE_PARAMS } from './inputs.ts'
import { submitWithApiKey, waitForFinishTime } from './jobs.ts'
import { type Measure, measureBoth } from './measure.ts'
import type { BenchSystem } from './system.ts'

const SUBMIT_CONCURRENCY = 4
const PHOTO_KEY = 'bench/photo.jpg'

/**
 * Measures how many image jobs per second the whole system completes, from the first submit to the last finished
 * job. The reference reads and writes the same storage, with nothing else.
 */
export const images: Measure = {
  name: 'images',
  title: `image/resize jobs through the whole system, against GET, sharp and PUT in one process, concurrency ${IMAGE_CONCURRENCY}`,
  unit: 'jobs/s',
  goal: 0.75,
  direction: 'at least',
  needsSystem: true,
  async open(bench) {
    const folder = join(bench.folder, 'images')
    await mkdir(folder)
    const photo = await makePhoto(folder)
    const system = bench.system()
    const { client } = await system.openAccount()
    const file_url = await client.upload(photo, 'image/jpeg')
    const body = await readFile(photo)
    const { ok } = await fetch(await system.signStorageUrl('PUT', PHOTO_KEY), { method: 'PUT', body })
    if (!ok) throw new Error('The storage did not accept the photo')
    const floor = startFloor()
    await measureFloor(system, floor, IMAGE_CONCURRENCY * 2)
    await measureJobs(client, file_url, IMAGE_CONCURRENCY * 2)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => measureJobs(client, file_url, IMAGES_PER_ROUND),
          () => measureFloor(system, floor, IMAGES_PER_ROUND),
        ),
      close: floor.close,
    }
  },
}

async function measureFloor(system: BenchSystem, floor: Floor, count: number): Promise<number> {
  const images = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      get: await system.signStorageUrl('GET', PHOTO_KEY),
      put: await system.signStorageUrl('PUT', `bench/${index}.jpg`),
    })),
  )
  const { seconds } = await floor.run(images)
  return count / seconds
}

async function measureJobs(client: Client, file_url: string, count: number): Promise<number> {
  const submission = {
    service_slug: 'image',
    operation_key: 'resize',
    params: { file_url, ...RESIZE_PARAMS },
  }
  const start_ms = Date.now()
  const ids: string[] = []
  let remaining = count
  const submit = async () => {
    while (remaining-- > 0) ids.push(await submitWithApiKey(client, submission))
  }
  await Promise.all(Array.from({ length: SUBMIT_CONCURRENCY }, submit))
  // Wait for the newest job first. While it runs, the other jobs are not polled.
  let end_ms = 0
  for (const id of ids.reverse()) end_ms = Math.max(end_ms, await waitForFinishTime(client, id))
  return (count * 1000) / (end_ms - start_ms)
}
