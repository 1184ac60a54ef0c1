import type { MediaProbe } from '../../planning/facts.ts'
import { ffmpegSeconds } from '../filters.ts'
import { hasVariableRate } from './cut.ts'
import type { Cut } from './cut-range.ts'

/** Together they last for less than a frame then, however long the gap before them is. */
const LATE_FACTOR = 100

/**
 * Ends a copy, unless it goes to the end of the input: a measured length may miss the last packet. ffmpeg ends it by
 * the order of decoding: frames that are shown after the end but decoded before it are copied, and the last frames
 * before the end may need them. They are shown at the end, for an instant.
 */
export function endCopy({ to_end }: Cut, seconds: number, probe: MediaProbe): string[] {
  const { video } = probe
  if (to_end) return endHidden(probe)
  const end = ffmpegSeconds(seconds)
  const times = video.reorders_frames ? endLate(end) : hasVariableRate(video) ? shortenLast(end) : null
  return ['-t', end, ...(times === null ? [] : ['-bsf:v', `setts=${times}`])]
}

/**
 * Keeps frames hidden at the end of a copy of a whole video whose edit list hides its start: ffmpeg reads them up to
 * the next keyframe. All that are decoded after the end are dropped.
 */
export function endHidden({ hides_start, video }: Pick<MediaProbe, 'hides_start' | 'video'>): string[] {
  const { reorders_frames, start_seconds = 0, duration_seconds } = video
  if (!hides_start || duration_seconds == null) return []
  const end = ffmpegSeconds(start_seconds + duration_seconds)
  return ['-bsf:v', `noise=drop='gte(dts*tb,${end})'${reorders_frames ? `,setts=${endLate(end)}` : ''}`]
}

function endLate(end: string): string {
  const is_late = `gte(PTS*TB,${end})`
  const at_end = `${end}/TB+(PTS-${end}/TB)/${LATE_FACTOR}`
  return `pts='if(${is_late},${at_end},PTS)':dts=DTS:duration='if(${is_late},1,DURATION)'`
}

/** The last of uneven frames may last for seconds. Without both times, setts of ffmpeg 5.1 writes DTS as PTS. */
function shortenLast(end: string): string {
  return `pts=PTS:dts=DTS:duration='max(1,min(DURATION,${end}/TB-PTS))'`
}
