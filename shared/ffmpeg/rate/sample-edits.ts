import type { MediaProbe, TimeRange } from '../../planning/facts.ts'
import { hasVariableRate, rateFilter } from '../cuts/cut.ts'
import { chain, type Fragment, type VideoEdit } from '../edit.ts'

/** Edits as a search draws them on samples. */
export interface SampledEdits {
  edits: VideoEdit[]
  /** The ranges of the source that the result shows. */
  ranges: TimeRange[]
}

/** @returns null if samples do not show what an edit does with the whole video, or if the result shows nothing. */
export function sampleEdits(edits: readonly VideoEdit[], probe: MediaProbe): SampledEdits | null {
  let ranges: TimeRange[] = [{ start: 0, end: probe.duration_seconds }]
  let speed = 1
  const sampled: VideoEdit[] = []
  for (const [position, edit] of edits.entries()) {
    const drawn = drawOnSamples(edit, edits[position - 1]?.after ?? probe)
    if (drawn === null) return null
    const kept = edit.cut === null ? edit.samples?.keep : [rangeOf(edit.cut)]
    ranges = kept?.flatMap(({ start, end }) => partsOf(ranges, start * speed, end * speed)) ?? ranges
    speed *= edit.samples?.speed ?? 1
    sampled.push({ ...edit, cut: null, video: drawn.video })
  }
  return ranges.length === 0 ? null : { edits: sampled, ranges }
}

/** Returns what an edit draws on samples, or null if it is unknown. */
function drawOnSamples(edit: VideoEdit, before: MediaProbe): { video: Fragment | null } | null {
  const { cut, video, is_framewise, samples, after } = edit
  const drawn = samples === undefined ? video : samples.video
  if (samples === undefined && video !== null && is_framewise !== true) return null
  if (cut === null || !hasVariableRate(before.video)) return { video: drawn }
  // Such a cut changes to a constant rate before it draws.
  const rate = rateFilter(after.video.frames_per_second)
  return {
    video:
      drawn === null
        ? chain(rate)
        : (pads) => `${pads.input}${rate}${pads.own('rate')};${drawn({ ...pads, input: pads.own('rate') })}`,
  }
}

function rangeOf({ start, seconds }: { start: number; seconds: number }): TimeRange {
  return { start, end: start + seconds }
}

/** Returns the parts of ranges that lie between two times of the video that they make when joined. */
function partsOf(ranges: readonly TimeRange[], from: number, to: number): TimeRange[] {
  let at = 0
  return ranges.flatMap(({ start, end }) => {
    const zero = start - at
    at += end - start
    const part = { start: Math.max(start, zero + from), end: Math.min(end, zero + to) }
    return part.start < part.end ? [part] : []
  })
}
