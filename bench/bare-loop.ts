import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { IMAGE_WORK, PHOTO } from './inputs.ts'

const Answer = z.object({ seconds: z.number().positive() })

/** As many pictures at once as the fleet works on, which is its default too. */
export const IMAGE_CONCURRENCY = availableParallelism()
/** Pictures in a round: enough that the first and the last don't matter. */
export const IMAGES_PER_ROUND = 80

export interface BareLoop {
  /** Pictures a second. */
  measure(count: number): Promise<number>
  close(): Promise<void>
}

/** Starts the loop that only sharp is in, in a process of its own. */
export async function startBareLoop(folder: string, photo: string): Promise<BareLoop> {
  const output = join(folder, 'loop')
  await mkdir(output)
  const { width } = IMAGE_WORK
  const height = Math.round((width / PHOTO.width) * PHOTO.height)
  const settings = { photo, folder: output, width, height, concurrency: IMAGE_CONCURRENCY }
  const child = fork(join(import.meta.dirname, 'sharp-loop.ts'), [JSON.stringify(settings)])
  const exit = once(child, 'exit')
  return {
    async measure(count) {
      const answer = once(child, 'message')
      child.send({ count })
      const ended = exit.then(() => {
        throw new Error('the bare sharp loop ended')
      })
      const [message] = await Promise.race([answer, ended])
      return count / Answer.parse(message).seconds
    },
    async close() {
      if (child.connected) child.disconnect()
      await exit
    },
  }
}
