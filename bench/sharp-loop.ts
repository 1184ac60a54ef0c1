import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'

/**
 * Reference process for image jobs. When it receives the message `{count}`, it makes that many images and replies
 * with the elapsed seconds. Its steps match those of the job plan: open by path, auto-orient, resize, encode, and
 * write a file.
 */
const Settings = z.object({
  photo: z.string(),
  folder: z.string(),
  width: z.int(),
  height: z.int(),
  concurrency: z.int(),
})
const settings = Settings.parse(JSON.parse(process.argv[2] ?? ''))
const LoopRequest = z.object({ count: z.int().min(1) })

// Uses the fleet's settings: concurrent images with one thread each, and no cache.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', (message) => {
  runLoop(LoopRequest.parse(message).count).then(
    (seconds) => process.send?.({ seconds }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

async function runLoop(count: number): Promise<number> {
  const start = performance.now()
  let next = 0
  const runWorker = async () => {
    for (let index = next++; index < count; index = next++) await resizeImage(index)
  }
  await Promise.all(Array.from({ length: settings.concurrency }, runWorker))
  return (performance.now() - start) / 1000
}

async function resizeImage(index: number): Promise<void> {
  const { photo, folder, width, height } = settings
  await sharp(photo, { failOn: 'error' })
    .autoOrient()
    .resize({ width, height, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toFormat('jpeg')
    .toFile(join(folder, `${index}.jpg`))
}
