import type { TimeRange } from '../planning/facts.ts'

/** A subtitle as its file has it. Its text may contain tags and entities. */
export interface SourceCue extends TimeRange {
  text: string
}
