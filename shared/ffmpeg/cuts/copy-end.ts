import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { ffmpegSeconds } from '../filters.ts'
import type { VideoContainer } from '../output/containers.ts'
import { hasVariableRate } from './cut.ts'
import type { Cut } from './cut-range.ts'

/** Factor that compresses late timestamps, so they span less than one frame in total. */
const LATE_FACTOR = 100
/** AVI counts frames, which is too coarse for frames that are shown only for an instant. */
const TIMESCALE_MIN = 600
const MATROSKA_TIMESCALE = 1000

/**
 * Returns options that end a copy, unless it runs to the end of the input. ffmpeg ends a copy in decoding order, so
 * it includes frames that are decoded before the end but displayed after it. Other frames may need them, so they
 * are shown for an instant at the end.
 */
export function endCopy(
  { to_end }: Cut,
  seconds: number,
  probe: MediaProbe,
  container: VideoContainer,
): string[] {
  if (to_end) return endHidden(probe, container)
  const end = ffmpegSeconds(seconds)
  const { video } = probe
  const filter = video.reorders_frames ? endLate(end) : hasVariableRate(video) ? fitLast(end) : null
  return ['-t', end, ...(filter === null ? [] : filterTimes(filter, video, container))]
}

/**
 * Keeps hidden the frames that an edit list hides at the end. ffmpeg reads up to the next keyframe; all frames
 * decoded after the end are dropped.
 */
export function endHidden(
  { hides_start, hides_end, video }: MediaProbe,
  container: VideoContainer,
): string[] {
  const { start_seconds = 0, duration_seconds } = video
  if (!(hides_start || hides_end) || duration_seconds == null) return []
  return filterTimes(endLate(ffmpegSeconds(start_seconds + duration_seconds)), video, container)
}

/**
 * Filters the timestamps of a copied track. ffmpeg 5.1 passes them in the unit of the output but sets TB to the
 * unit of the input, so MP4 output keeps the timescale of the input. Matroska always counts in milliseconds.
 */
function filterTimes(
  filter: string,
  { timescale = 0 }: Pick<VideoTrack, 'timescale'>,
  container: VideoContainer,
): string[] {
  const can_choose = container === 'mp4' || container === 'mov'
  if (can_choose ? timescale < TIMESCALE_MIN : timescale !== MATROSKA_TIMESCALE) return []
  return ['-bsf:v', filter, ...(can_choose ? ['-video_track_timescale', String(timescale)] : [])]
}

/**
 * A negative duration marks the frames to drop, because the time base of the noise filter may not match its
 * timestamps.
 */
function endLate(end: string): string {
  const is_late = `gte(PTS*TB,${end})`
  const at_end = `${end}/TB+(PTS-${end}/TB)/${LATE_FACTOR}`
  const length = `if(gte(DTS*TB,${end}),-1,if(${is_late},1,DURATION))`
  return `setts=pts='if(${is_late},${at_end},PTS)':dts=DTS:duration='${length}',noise=drop='lt(d,0)'`
}

/**
 * Ends the last frame at the end of the cut. With a variable frame rate, that frame may last for seconds, or its
 * duration may not be stored. In ffmpeg 5.1, setts writes the DTS as the PTS unless both options are set.
 */
function fitLast(end: string): string {
  const rest = `max(1,${end}/TB-PTS)`
  return `setts=pts=PTS:dts=DTS:duration='if(eq(NEXT_PTS,NOPTS),${rest},DURATION)'`
}
