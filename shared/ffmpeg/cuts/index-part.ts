import type { MediaProbe } from '../../planning/facts.ts'
import { type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import { probeOptions } from '../video/short-probe.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { readWithFallbacks, seekOptions } from './source.ts'
import { unindexedSeeks } from './unindexed-seek.ts'

/** How the file of an indexPart is asked for a moment of the input. */
export const BY_INPUT_TIMES = ['-seek_timestamp', '1']

/**
 * Of a picture whose first keyframe comes after the cut nothing is written, so that another way is tried. The cut is at
 * nought while this looks, and only then back at its time: in which unit it is told that depends on the formats.
 */
const DROP_LATE = ['-bsf:v', "noise=drop='gt(startpts,0)'"]

/** Containers round times: what is cut in the end must not be cut too early here. */
const SLACK_SECONDS = 0.1

/**
 * Copies what a cut needs of a stream that can't be asked for a keyframe into a file that can: a part that begins
 * with a keyframe no later than the cut. `options`: which tracks, and how.
 * @param audio options behind `-c copy` (copied-audio.ts)
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
