import type { SegmentRange, SpreadEncode } from '../../planning/spread.ts'
import type { FfmpegStep } from '../../planning/steps.ts'
import { earlySeconds } from '../cuts/keyframe-seek.ts'
import { ffmpegSeconds } from '../filters.ts'

/**
 * Returns the step that encodes one segment. Its frames keep their times, so the result shows whether one is missing.
 * Bounds lie between two frames, because timestamps are rounded.
 */
export function segmentStep(spread: SpreadEncode, range: SegmentRange, file: string): FfmpegStep {
  const { track, frames_per_second, start_seconds, video } = spread
  const seconds = (frame: number) => start_seconds + (frame - 0.5) / frames_per_second
  const { first, end } = range
  const source = `[0:${track}]`
  const bounds = [
    ...(first === 0 ? [] : [`start=${ffmpegSeconds(seconds(first))}`]),
    ...(end === null ? [] : [`end=${ffmpegSeconds(seconds(end))}`]),
  ]
  const trim = bounds.length === 0 ? '' : `trim=${bounds.join(':')},`
  const frames_end = end ?? (video.output_duration_seconds ?? 0) * frames_per_second
  const segment_seconds = Math.max(1, frames_end - first) / frames_per_second
  // Without them, the first segment starts like the whole video: the rules for a late start differ between versions.
  const times = first === 0 ? [] : ['-copyts', '-start_at_zero']
  const seek = first === 0 ? [] : seekTo(seconds(first + 1), spread)
  return {
    ...video,
    inputs: video.inputs.map((input) => ({
      ...input,
      options: [...input.options, ...seek],
      reads_seconds: segment_seconds,
    })),
    filter_graph: (video.filter_graph ?? '').replaceAll(source, `${source}${trim}`),
    output: { file, options: [...times, ...video.output.options] },
    output_duration_seconds: segment_seconds,
  }
}

function seekTo(seconds: number, { container, reorders_frames }: SpreadEncode): string[] {
  return ['-noaccurate_seek', '-ss', ffmpegSeconds(seconds + earlySeconds(container, { reorders_frames }))]
}
