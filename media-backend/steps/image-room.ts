import type { Metadata } from 'sharp'
import { holdsFrames } from '../../shared/operations/image/formats.ts'
import type { ImageAction, ImageStep } from '../../shared/operations/steps.ts'
import { largestPixels } from './image-pass.ts'
import { countFrames } from './sharp.ts'

/** What a decoder and an encoder hold of each pixel of eight bits at most: of grain in a progressive JPEG. */
const PIXEL_BYTES = 14
/** The same of an AVIF's encoder, with colours at full and at half the size. */
const AVIF_PIXEL_BYTES = { full: 33, halved: 20 }
/** What each pixel of a layer takes, with what the layer is made of: of a text that is slanted and tiled. */
const LAYER_PIXEL_BYTES = 10

/** Memory for pictures, by an estimate of what each takes. Who finds no room waits, in the order of coming. */
interface Room {
  /**
   * Does the work once there is room for it; what is larger than all the room is done alone.
   * @throws the signal's reason where it comes first.
   */
  hold<T>(bytes: number, bytes_max: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  fits(): boolean
  enter(): void
}

export function createRoom(): Room {
  let held = 0
  const queue: Waiting[] = []
  const admit = () => {
    while (queue[0]?.fits()) queue.shift()?.enter()
  }
  const enter = (bytes: number, bytes_max: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(signal.reason)
        admit()
      }
      const waiting: Waiting = {
        fits: () => held === 0 || held + bytes <= bytes_max,
        enter: () => {
          signal.removeEventListener('abort', leave)
          held += bytes
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(waiting)
      admit()
    })
  return {
    async hold(bytes, bytes_max, signal, work) {
      signal.throwIfAborted()
      await enter(bytes, bytes_max, signal)
      try {
        return await work()
      } finally {
        held -= bytes
        admit()
      }
    },
  }
}

/** What a step may take, as if no part of it went by line after line. */
export function estimateBytes({ actions, output }: ImageStep, header: Metadata): number {
  const { format, sparing = false } = output
  const avif_bytes = sparing ? AVIF_PIXEL_BYTES.halved : AVIF_PIXEL_BYTES.full
  const pixel_bytes = format === 'avif' ? avif_bytes : PIXEL_BYTES
  const depth = header.depth === 'uchar' ? 1 : 2
  const frames = holdsFrames(format) ? countFrames(header) : 1
  const layer_pixels = actions.reduce((sum, action) => sum + layerPixels(action), 0)
  return largestPixels(header, actions) * frames * pixel_bytes * depth + layer_pixels * LAYER_PIXEL_BYTES
}

/** Of a mark its width is known, and that it is no higher than the picture; tiled, it has room around it. */
function layerPixels(action: ImageAction): number {
  if (action.action === 'circle') return action.diameter ** 2
  if (action.action !== 'overlay') return 0
  const { canvas, width, tiled } = action
  return Math.min(canvas.width, tiled ? 2 * width : width) * canvas.height
}
