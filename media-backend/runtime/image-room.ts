import { type Claim, chooseNext, type RoomLimits } from './image-admission.ts'
import type { Run } from './run.ts'

/** Memory and slots for images, shared by all jobs in this process. */
interface Room {
  /**
   * Waits for room (image-admission.ts), then runs the work.
   * @throws the reason of the signal if it aborts first.
   */
  hold<T>(bytes: number, limits: RoomLimits, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

interface Waiting extends Claim {
  enter(): void
}

export function createRoom(): Room {
  const inside = new Set<Waiting>()
  const queue: Waiting[] = []
  const admit = (limits: RoomLimits) => {
    for (let next = 0; next >= 0; ) {
      next = chooseNext(queue, [...inside], limits)
      for (const passed of queue.slice(0, Math.max(0, next))) passed.times_passed += 1
      queue.splice(next, next < 0 ? 0 : 1)[0]?.enter()
    }
  }
  const enter = (bytes: number, limits: RoomLimits, signal: AbortSignal) =>
    new Promise<Waiting>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(signal.reason)
        admit(limits)
      }
      const waiting: Waiting = {
        bytes,
        times_passed: 0,
        enter: () => {
          signal.removeEventListener('abort', leave)
          inside.add(waiting)
          resolve(waiting)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(waiting)
      admit(limits)
    })
  return {
    async hold(bytes, limits, signal, work) {
      signal.throwIfAborted()
      const entered = await enter(bytes, limits, signal)
      try {
        return await work()
      } finally {
        inside.delete(entered)
        admit(limits)
      }
    },
  }
}

const room = createRoom()

/** Waits for memory and a slot in this process, then runs the work. The wait is not charged. */
export async function holdRoom<T>(bytes: number, run: Run, work: () => Promise<T>): Promise<T> {
  const { IMAGE_MEMORY_BYTES_MAX: bytes_max, IMAGE_CONCURRENCY } = run.environment
  // Videos also need images, such as a frame with a logo, where the lane of images is served elsewhere.
  const places = Math.max(1, IMAGE_CONCURRENCY)
  const requested_ms = performance.now()
  return room.hold(bytes, { bytes_max, places }, run.signal, () => {
    run.waits?.add((performance.now() - requested_ms) / 1000)
    return work()
  })
}
