import type { MediaProbe } from '../../planning/facts.ts'
import { ffmpegSeconds } from '../filters.ts'
import { hasVariableRate } from './cut.ts'
import type { Cut } from './cut-range.ts'

/** Compression factor of late timestamps: together they last less than one frame. */
const LATE_FACTOR = 100

/**
 * Returns options that end a copy, unless it runs to the end of the input. ffmpeg ends by decoding order, so
 * frames decoded before the end but shown after it are copied, and others may need them: they are shown at
 * the end, for an instant.
 */
export function endCopy({ to_end }: Cut, seconds: number, probe: MediaProbe): string[] {
  const { video } = probe
  if (to_end) return endHidden(probe)
  const end = ffmpegSeconds(seconds)
  const times = video.reorders_frames ? endLate(end) : hasVariableRate(video) ? shortenLast(end) : null
  return ['-t', end, ...(times === null ? [] : ['-bsf:v', `setts=${times}`])]
}

/**
 * Keeps the frames hidden that an edit list hides at the end. ffmpeg reads up to the next keyframe; all
 * frames decoded after the end are dropped.
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

/**
 * Shortens the last frame, which may last for seconds with a variable frame rate. Unless both are set, setts
 * of ffmpeg 5.1 writes DTS as PTS.
 */
function shortenLast(end: string): string {
  return `pts=PTS:dts=DTS:duration='max(1,min(DURATION,${end}/TB-PTS))'`
}
