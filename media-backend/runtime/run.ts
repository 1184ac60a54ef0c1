import type { Environment } from '../environment.ts'
import type { Ceiling } from './length.ts'

/** What a step needs of the job that it works for. */
export interface Run {
  folder: string
  /** Where ffmpeg reads SOURCE by ranges while it isn't in the folder. */
  source_url?: string
  signal: AbortSignal
  environment: Environment
  /** What the input may last; absent: anything. A header may lie, so that it is watched while it is read. */
  ceiling?: Ceiling
  /** That the job stood still for others: nobody pays for that. */
  reportWait?(seconds: number): void
  /** When drawing must end, as performance.now() counts; absent before the first image is drawn. */
  image_deadline_ms?: number
  /** What the input's header says that it lasts, where that is known. */
  declared_seconds?: number | undefined
}

export function secondsSince(start: Date): number {
  return Math.max(0, Date.now() - start.getTime()) / 1000
}
