import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../dev/client.ts'
import { IMAGE_CONCURRENCY, IMAGES_PER_ROUND, startBareLoop } from './bare-loop.ts'
import { makePhoto, RESIZE_PARAMS } from './inputs.ts'
import { submitWithApiKey, waitForFinishTime } from './jobs.ts'
import { type Measure, measureBoth } from './measure.ts'

const SUBMIT_CONCURRENCY = 4

/**
 * Measures how many image jobs per second the whole system completes, from the first submit to the last finished
 * job.
 */
export const images: Measure = {
  name: 'images',
  title: `image/resize jobs through the whole system, against a bare sharp loop, concurrency ${IMAGE_CONCURRENCY}`,
  unit: 'jobs/s',
  goal: 0.75,
  direction: 'at least',
  needsSystem: true,
  async open(bench) {
    const folder = join(bench.folder, 'images')
    await mkdir(folder)
    const photo = await makePhoto(folder)
    const { client } = await bench.system().openAccount()
    const file_url = await client.upload(photo, 'image/jpeg')
    const loop = await startBareLoop(folder, photo)
    await loop.measure(IMAGE_CONCURRENCY * 2)
    await measureJobs(client, file_url, IMAGE_CONCURRENCY * 2)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => measureJobs(client, file_url, IMAGES_PER_ROUND),
          () => loop.measure(IMAGES_PER_ROUND),
        ),
      close: loop.close,
    }
  },
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
