import type { VideoTrack } from '../../planning/facts.ts'
import { ffmpegSeconds } from '../filters.ts'

/** How much earlier ffmpeg seeks if frames are reordered, because most containers index decoding times. */
const REORDERING_SECONDS = 3 / 23

/** Returns how much later to seek than the keyframe lies. */
export function earlySeconds(container: string, { reorders_frames }: { reorders_frames?: boolean }): number {
  return /matroska|mkv|webm/.test(container) && reorders_frames === true ? REORDERING_SECONDS : 0
}

/**
 * Returns input options that seek to the last keyframe at or before a start. Matroska indexes display times, so
 * ffmpeg's allowance for reordered frames would find the keyframe before that.
 * @param container the name that ffprobe reports, or a file extension.
 * @param lead_seconds shifts the output later, so it starts at zero with the keyframe.
 */
export function seekToKeyframe(
  start: number,
  container: string,
  video: Pick<VideoTrack, 'reorders_frames'>,
  lead_seconds = 0,
): string[] {
  const early_seconds = earlySeconds(container, video)
  const offset_seconds = lead_seconds + early_seconds
  return [
    ...(offset_seconds === 0 ? [] : ['-itsoffset', ffmpegSeconds(offset_seconds)]),
    ...['-ss', ffmpegSeconds(start + early_seconds)],
  ]
}
