import sharp from 'sharp'
import { z } from 'zod'

/**
 * Reference process for image jobs: the least that a program does that processes stored images. For each image it
 * reads the photo from the storage, resizes it and writes the result to the storage, all in memory. Its sharp
 * pipeline is that of the job plan. It replies to a request with the seconds and the CPU seconds that it took.
 */
const Settings = z.object({ width: z.int(), height: z.int(), concurrency: z.int() })
const settings = Settings.parse(JSON.parse(process.argv[2] ?? ''))
const LoopRequest = z.object({
  /** For each image, the URLs of the photo and of the result. */
  images: z.array(z.object({ get: z.url(), put: z.url() })).min(1),
})
type Image = z.infer<typeof LoopRequest>['images'][number]

// Uses the fleet's settings: concurrent images with one thread each, and no cache.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', (message) => {
  runLoop(LoopRequest.parse(message).images).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

async function runLoop(images: Image[]): Promise<{ seconds: number; cpu_seconds: number }> {
  const start = performance.now()
  const cpu_start = process.cpuUsage()
  const waiting = [...images]
  const runWorker = async () => {
    for (let image = waiting.shift(); image !== undefined; image = waiting.shift()) await resizeImage(image)
  }
  await Promise.all(Array.from({ length: settings.concurrency }, runWorker))
  const { user, system } = process.cpuUsage(cpu_start)
  return { seconds: (performance.now() - start) / 1000, cpu_seconds: (user + system) / 1_000_000 }
}

async function resizeImage({ get, put }: Image): Promise<void> {
  const photo = await requireOk(await fetch(get)).arrayBuffer()
  const { width, height } = settings
  const body = await sharp(photo, { failOn: 'error' })
    .autoOrient()
    .resize({ width, height, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toFormat('jpeg')
    .toBuffer()
  const headers = { 'content-type': 'image/jpeg' }
  await requireOk(await fetch(put, { method: 'PUT', headers, body: new Uint8Array(body) })).arrayBuffer()
}

function requireOk(response: Response): Response {
  if (!response.ok) throw new Error(`The storage responded with status ${response.status}`)
  return response
}
