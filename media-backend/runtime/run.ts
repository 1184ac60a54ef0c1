import type { Environment } from '../environment.ts'
import type { Ceiling } from './length.ts'

/** What a step needs of its job. */
export interface Run {
  folder: string
  /** URL where ffmpeg reads SOURCE by ranges while it is not in the folder. */
  source_url?: string
  signal: AbortSignal
  environment: Environment
  /** Length limit of the input; absent: none. Checked while reading too, because a header may be wrong. */
  ceiling?: Ceiling
  /** Reports time spent waiting for other jobs, which is not charged. */
  reportWait?(seconds: number): void
  /** Deadline of drawing on the clock of performance.now(); absent before the first image is drawn. */
  image_deadline_ms?: number
  /** Length that the input's header declares, if known. */
  declared_seconds?: number | undefined
}

export function secondsSince(start: Date): number {
  return Math.max(0, Date.now() - start.getTime()) / 1000
}
