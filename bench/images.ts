import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../dev/client.ts'
import { IMAGE_CONCURRENCY, IMAGES_PER_ROUND, startBareLoop } from './bare-loop.ts'
import { IMAGE_WORK, makePhoto } from './inputs.ts'
import { finishTime, submitByKey } from './jobs.ts'
import { type Measure, measureBoth } from './measure.ts'

const SUBMITS_AT_ONCE = 4

/** Image jobs a second through the whole system, from the first submit to the last that is done. */
export const images: Measure = {
  name: 'images',
  title: `image/resize jobs through the whole system, against a bare sharp loop, ${IMAGE_CONCURRENCY} at once`,
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
    params: { file_url, ...IMAGE_WORK },
  }
  const start_ms = Date.now()
  const ids: string[] = []
  let left = count
  const submit = async () => {
    while (left-- > 0) ids.push(await submitByKey(client, submission))
  }
  await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, submit))
  // The last to be submitted first: while it runs nobody asks for the others.
  let end_ms = 0
  for (const id of ids.reverse()) end_ms = Math.max(end_ms, await finishTime(client, id))
  return (count * 1000) / (end_ms - start_ms)
}
