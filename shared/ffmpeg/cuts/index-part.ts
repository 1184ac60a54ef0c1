import type { MediaProbe } from '../../planning/facts.ts'
import { type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import { probeOptions } from '../video/short-probe.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { readWithFallbacks, seekOptions } from './source.ts'
import { unindexedSeeks } from './unindexed-seek.ts'

/** Seeks by the timestamps of the input, which the file written by indexPart keeps. */
export const BY_INPUT_TIMES = ['-seek_timestamp', '1']

/**
 * Drops the video if its first keyframe comes after the start, which triggers the next attempt. During this check,
 * the start is at zero, because the unit of timestamps depends on the format.
 */
const DROP_LATE = ['-bsf:v', "noise=drop='gt(startpts,0)'"]

/** Containers round timestamps. This slack keeps the final cut from losing frames. */
const SLACK_SECONDS = 0.1

/**
 * Copies a part of a stream without an index into a file with one. The part begins with a keyframe at or before the
 * start. `options` select the tracks.
 * @param audio options to append to `-c copy` (shared/ffmpeg/audio/copied-audio.ts)
 */
export function indexPart(
  probe: MediaProbe,
  cut: Cut,
  file: string,
  options: readonly string[],
  audio: readonly string[],
): FfmpegStep {
  const end = (seconds: number) => (cut.to_end ? [] : ['-t', ffmpegSeconds(seconds + SLACK_SECONDS)])
  const at = ffmpegSeconds(cut.start)
  const seeking = {
    input: ['-itsoffset', `-${at}`],
    output: [...end(cut.seconds), '-copyts', '-start_at_zero', '-output_ts_offset', at, ...DROP_LATE],
  }
  const from_start = { input: [], output: end(cut.start + cut.seconds) }
  const read = (start: number) => {
    const { input, output } = start === 0 ? from_start : seeking
    return {
      inputs: [
        {
          file: SOURCE,
          options: ['-fflags', '+genpts', ...probeOptions(probe), ...input, ...seekOptions(probe, start)],
          reads_seconds: cut.start - start + cut.seconds + KEYFRAME_SECONDS,
        },
      ],
      filter_graph: null,
      output: { file, options: [...options, ...output, '-c', 'copy', ...audio] },
    }
  }
  const reads = readWithFallbacks(unindexedSeeks(probe, cut.start), read)
  return { kind: 'ffmpeg', ...reads, output_duration_seconds: cut.start + cut.seconds }
}
