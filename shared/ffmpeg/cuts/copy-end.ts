import type { MediaProbe } from '../../planning/facts.ts'
import { ffmpegSeconds } from '../filters.ts'
import { isUneven } from './cut.ts'
import type { Cut } from './cut-range.ts'

/** Together they last for less than a frame then, however long the gap before them is. */
const LATE_FACTOR = 100

/**
 * Ends a copy, unless it goes to the end of the input: a measured length may miss the last packet. ffmpeg ends it by
 * the order of decoding: frames that are shown after the end but decoded before it are copied, and the last frames
 * before the end may need them. They are shown at the end, for an instant.
 */
export function endCopy({ to_end }: Cut, seconds: number, { video }: Pick<MediaProbe, 'video'>): string[] {
  if (to_end) return []
  const end = ffmpegSeconds(seconds)
  const times = video.reorders_frames ? endLate(end) : isUneven(video) ? shortenLast(end) : null
  return ['-t', end, ...(times === null ? [] : ['-bsf:v', `setts=${times}`])]
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
