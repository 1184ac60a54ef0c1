import { photo, video } from '../media-backend/testing/clips.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import { ENCODES, startLaneFleet } from './lane-fleet.ts'
import type { Measure } from './measure.ts'

const JOBS_PER_ROUND = 100

const THUMBNAIL = { service_slug: 'video', operation_key: 'thumbnail', params: { at: 0 } } as const

/** Waits of thumbnails and images in a fleet that has twenty encodes to do, each longer than the measurement. */
export const lanesThumbnail = measureWaits('thumbnail', 2, () => video(3), THUMBNAIL)
export const lanesImage = measureWaits('image', 0.5, photo, {})

function measureWaits(
  name: string,
  seconds_max: number,
  makeInput: () => Promise<Buffer>,
  spec: Partial<Dispatch>,
): Measure {
  return {
    name: `lanes-${name}`,
    title: `wait of a ${name} (p99) behind ${ENCODES} long encodes, against ${seconds_max} s`,
    unit: 's',
    goal: 1,
    direction: 'at most',
    needsSystem: false,
    rounds: 3,
    async open() {
      const input = await makeInput()
      return {
        async round() {
          const waits = await measureAll(input, spec)
          const [p50, p99] = [0.5, 0.99].map((share) => percentile(waits, share).toFixed(3))
          console.log(`Wait of ${waits.length} ${name} jobs: p50 ${p50} s, p99 ${p99} s`)
          return { ours: percentile(waits, 0.99), reference: seconds_max }
        },
        close: async () => {},
      }
    },
  }
}

/**
 * Submits each job when the one before it has ended: a constant rate above that of the machine would measure a queue
 * of its own making.
 */
async function measureAll(input: Buffer, spec: Partial<Dispatch>): Promise<number[]> {
  const fleet = await startLaneFleet()
  try {
    const waits: number[] = []
    while (waits.length < JOBS_PER_ROUND) waits.push(await fleet.measureWait(input, spec))
    return waits.sort((one, other) => one - other)
  } finally {
    await fleet.close()
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.POSITIVE_INFINITY
}
