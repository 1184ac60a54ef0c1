import type { Environment } from '../environment.ts'
import type { CustomerStorage } from './customer-storage.ts'
import type { Ceiling } from './length.ts'
import type { Waits } from './waits.ts'

/** The parts of a job that a step needs. */
export interface Run {
  folder: string
  /** URL from which ffmpeg reads SOURCE with range requests while the file is not in the folder. */
  source_url?: string
  signal: AbortSignal
  environment: Environment
  /** The storage of the job's customer. Absent where a test runs only steps. */
  customer_storage?: CustomerStorage
  /** Length limit of the input, if any. Also checked while reading, because a header may be wrong. */
  ceiling?: Ceiling
  /** The waits of the attempt. Absent where a test runs only steps. */
  waits?: Waits
  /** Deadline for drawing, on the clock of performance.now(). Absent before the first image is drawn. */
  image_deadline_ms?: number
  /** Length declared in the header of the input, if known. */
  declared_seconds?: number | undefined
}

export function secondsSince(start: Date): number {
  return Math.max(0, Date.now() - start.getTime()) / 1000
}
