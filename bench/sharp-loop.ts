import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'

/**
 * The bare loop that image jobs are measured against, in a process of its own: is told
 * `{count}` by message, makes that many pictures, and answers the seconds it took.
 * The work is the plan's: open by path, turn upright, resize, encode, write a file.
 */
const Settings = z.object({
  photo: z.string(),
  folder: z.string(),
  width: z.int(),
  height: z.int(),
  concurrency: z.int(),
})
const settings = Settings.parse(JSON.parse(process.argv[2] ?? ''))
const Order = z.object({ count: z.int().min(1) })

// As in the fleet: several pictures at once, each on one thread, and nothing kept.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', (message) => {
  runLoop(Order.parse(message).count).then(
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
  const work = async () => {
    for (let index = next++; index < count; index = next++) await makePicture(index)
  }
  await Promise.all(Array.from({ length: settings.concurrency }, work))
  return (performance.now() - start) / 1000
}

async function makePicture(index: number): Promise<void> {
  const { photo, folder, width, height } = settings
  await sharp(photo, { failOn: 'error' })
    .autoOrient()
    .resize({ width, height, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toFormat('jpeg')
    .toFile(join(folder, `${index}.jpg`))
}
