import type { MediaProbe, SubtitleTrack } from '../../planning/facts.ts'
import { type FfmpegInput, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import { isText } from '../output/containers.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'

/** Hardly a line is longer on the screen. */
const LINE_SECONDS = 10

/**
 * A second reading of a Matroska file, for its subtitles alone: a line that is still seen at the start began before
 * the packets that a copy begins with. MP4 finds it by itself. null: there is no need.
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
 * Lines of text are seen within the part alone, which begins at nought: what is over before that is dropped, and a
 * line that began before it, or goes on behind it, is shortened. Drawn ones tell no length: of those, what came
 * before the part is left out.
 * @param seconds how long the part becomes.
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
