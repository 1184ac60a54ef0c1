import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { PHOTO, RESIZE_PARAMS } from './inputs.ts'

const LoopResult = z.object({ seconds: z.number().positive() })

/** Equals the default image concurrency of the fleet. */
export const IMAGE_CONCURRENCY = availableParallelism()
/** Number of images per round, high enough to make startup and tail effects negligible. */
export const IMAGES_PER_ROUND = 80

export interface BareLoop {
  /** Processes `count` images and returns images per second. */
  measure(count: number): Promise<number>
  close(): Promise<void>
}

/** Starts the sharp-only loop in a separate process. */
export async function startBareLoop(folder: string, photo: string): Promise<BareLoop> {
  const output = join(folder, 'loop')
  await mkdir(output)
  const { width } = RESIZE_PARAMS
  const height = Math.round((width / PHOTO.width) * PHOTO.height)
  const settings = { photo, folder: output, width, height, concurrency: IMAGE_CONCURRENCY }
  const child = fork(join(import.meta.dirname, 'sharp-loop.ts'), [JSON.stringify(settings)])
  const exit = once(child, 'exit')
  return {
    async measure(count) {
      const reply = once(child, 'message')
      child.send({ count })
      const exited = exit.then(() => {
        throw new Error('The bare sharp loop exited unexpectedly')
      })
      const [message] = await Promise.race([reply, exited])
      return count / LoopResult.parse(message).seconds
    },
    async close() {
      if (child.connected) child.disconnect()
      await exit
    },
  }
}
