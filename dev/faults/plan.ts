import { randomOf } from '../requests/random.ts'

/** What a round breaks: a part that is killed with SIGKILL and started again, or the whole data of Redis. */
export const FAULTS = ['edge', 'fleet', 'ffmpeg', 'redis', 'database', 'redis_wiped'] as const
export type FaultName = (typeof FAULTS)[number]

export type JobKind = 'image' | 'thumbnail' | 'encode'

/** A round: jobs that are submitted at the same time, and a fault some time after the first submission begins. */
export interface Round {
  number: number
  fault: FaultName
  jobs: JobKind[]
  delay_ms: number
}

const JOBS_MAX = 6
/** Long enough to reach every step of an image job, and of jobs of the rounds before. */
const DELAY_MS_MAX = 400

/** Plans a round. The same seed and number give the same round. */
export function planRound(seed: number, number: number): Round {
  const random = randomOf(seed, number)
  const fault = random.pick(FAULTS)
  const jobs = Array.from(
    { length: random.int(1, JOBS_MAX) },
    (): JobKind => (random.chance(0.1) ? 'thumbnail' : 'image'),
  )
  // Only an encode runs ffmpeg long enough to find it.
  if (fault === 'ffmpeg') jobs[0] = 'encode'
  // Most steps of a job take a few milliseconds, so half of the delays are short.
  const delay_ms = random.chance(0.5) ? random.int(0, 50) : random.int(0, DELAY_MS_MAX)
  return { number, fault, jobs, delay_ms }
}
