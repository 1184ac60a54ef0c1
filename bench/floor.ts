import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { PHOTO, RESIZE_PARAMS } from './inputs.ts'

const LoopResult = z.object({ seconds: z.number().positive(), cpu_seconds: z.number().positive() })

/** Equals the default image concurrency of the fleet. */
export const IMAGE_CONCURRENCY = availableParallelism()
/** Number of images per round, high enough to make startup and tail effects negligible. */
export const IMAGES_PER_ROUND = 80

export interface StoredImage {
  /** URL of the photo. */
  get: string
  /** URL of the result. */
  put: string
}

/** The floor of image jobs: read, resize and write with nothing else, in a process of its own. */
export interface Floor {
  /** Processes the images and returns the elapsed seconds, and the CPU seconds of the process. */
  run(images: readonly StoredImage[]): Promise<z.infer<typeof LoopResult>>
  close(): Promise<void>
}

export function startFloor(): Floor {
  const { width } = RESIZE_PARAMS
  const height = Math.round((width / PHOTO.width) * PHOTO.height)
  const settings = { width, height, concurrency: IMAGE_CONCURRENCY }
  const child = fork(join(import.meta.dirname, 'floor-loop.ts'), [JSON.stringify(settings)])
  const exit = once(child, 'exit')
  return {
    async run(images) {
      const reply = once(child, 'message')
      child.send({ images })
      const exited = exit.then(() => {
        throw new Error('The floor process exited unexpectedly')
      })
      const [message] = await Promise.race([reply, exited])
      return LoopResult.parse(message)
    },
    async close() {
      if (child.connected) child.disconnect()
      await exit
    },
  }
}
