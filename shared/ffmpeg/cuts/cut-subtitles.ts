import type { MediaProbe, SubtitleTrack } from '../../planning/facts.ts'
import { type FfmpegInput, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import { isText } from '../output/containers.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'

/** Subtitles are rarely shown for longer than this. */
const LINE_SECONDS = 10

/**
 * Opens a Matroska file a second time to read its subtitles, because a subtitle visible at the start may begin
 * before the copied packets. With MP4, it is included anyway.
 * @returns null if not needed.
 */
export function earlySubtitles(
  { container }: Pick<MediaProbe, 'container'>,
  subtitles: readonly SubtitleTrack[],
  { start, seconds }: Cut,
  lead_seconds: number,
): FfmpegInput | null {
  if (start === 0 || !subtitles.some(isText) || !container.split(',').includes('matroska')) return null
  const early_seconds = Math.min(start, lead_seconds + LINE_SECONDS)
  const seek = start === early_seconds ? [] : ['-ss', ffmpegSeconds(start - early_seconds)]
  return {
    file: SOURCE,
    options: ['-itsoffset', ffmpegSeconds(lead_seconds - early_seconds), ...seek],
    reads_seconds: early_seconds + seconds + KEYFRAME_SECONDS,
  }
}

/**
 * Limits text subtitles to the part, which begins at zero. Drops subtitles that end before it and shortens those
 * that overlap its edges. Bitmap subtitles have no duration, so those from before the part are dropped.
 * @param seconds duration of the part
 */
export function clampSubtitles(
  subtitles: readonly SubtitleTrack[],
  { start, to_end }: Cut,
  seconds: number,
): string[] {
  if (subtitles.length === 0 || (start === 0 && to_end)) return []
  const times = `ts='max(TS,0)':duration='min(PTS+DURATION,${ffmpegSeconds(seconds)}/TB)-max(PTS,0)'`
  return ['-bsf:s', `noise=drop='lte(pts+d,0)',setts=${times}`]
}
