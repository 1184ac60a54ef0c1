import type { MediaProbe } from '../../planning/facts.ts'
import type { EncodeMode, Plan } from '../../planning/operation.ts'
import { type FfmpegInput, type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { writeCopiedAudio } from '../audio/copied-audio.ts'
import { mapTracks } from '../filters.ts'
import {
  containerOptions,
  copiedSubtitles,
  copiedTracks,
  isIndexed,
  mapAttachments,
  remuxContainer,
  type VideoContainer,
  videoTag,
} from '../output/containers.ts'
import { keepMetadata } from '../output/metadata.ts'
import { endCopy } from './copy-end.ts'
import type { Cut } from './cut-range.ts'
import { clampSubtitles, earlySubtitles } from './cut-subtitles.ts'
import { BY_INPUT_TIMES, indexPart } from './index-part.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { seekToKeyframe } from './keyframe-seek.ts'

/** Starts at zero. Otherwise, an MP4 would hide what comes before, and players that show it would lose sync. */
const START_AT_ZERO = ['-avoid_negative_ts', 'make_zero']

/**
 * Plans a packet copy from the keyframe at or before the start, `lead_seconds` earlier, to the requested end.
 * Subtitles and chapters stay in sync with the video.
 */
export function planCopy(probe: MediaProbe, cut: Cut, lead_seconds: number): Plan {
  const container = remuxContainer(probe)
  // AVI indexes chunks of up to a second of audio, which would start long before the video.
  if (cut.start > 0 && (!isIndexed(probe) || probe.container === 'avi'))
    return copyWithoutIndex(probe, cut, container)
  const subtitles = copiedSubtitles(probe, container)
  const early = earlySubtitles(probe, subtitles, cut, lead_seconds)
  const seconds = cut.seconds + lead_seconds
  const { encode_mode, options: audio } = writeCopiedAudio(probe, container)
  const input: FfmpegInput = {
    file: SOURCE,
    options: [
      // Encoded audio also starts at the copied keyframe.
      ...(encode_mode === 'remux' ? [] : ['-noaccurate_seek']),
      ...(cut.start === 0 ? [] : seekToKeyframe(cut.start, probe.container, probe.video, lead_seconds)),
    ],
    reads_seconds: cut.seconds + KEYFRAME_SECONDS,
  }
  const options = [
    ...mapTracks([probe.video, ...probe.audio]),
    ...mapTracks(subtitles, early === null ? 0 : 1),
    ...mapAttachments(probe, container),
    ...copiedTags(probe, container),
    ...clampSubtitles(subtitles, cut, seconds),
    ...endCopy(cut, seconds, probe, container),
    ...(cut.start === 0 ? [] : START_AT_ZERO),
    ...(probe.missing_seconds === undefined ? [] : ['-map_chapters', '-1']),
  ]
  const inputs = early === null ? [input] : [input, early]
  return planOf(encode_mode, [copyStep(inputs, `trimmed.${container}`, seconds, options, audio)])
}

/**
 * Copies a part of a stream that has no index. First copies it to a file with an index, because seeks in the stream
 * are imprecise.
 */
function copyWithoutIndex(probe: MediaProbe, cut: Cut, container: VideoContainer): Plan {
  const indexed = `indexed.${container}`
  const tracks = mapTracks(copiedTracks(probe, container))
  const same = copiedTags(probe, container)
  const seek = seekToKeyframe(cut.start, container, probe.video)
  const input = { file: indexed, options: [...BY_INPUT_TIMES, ...seek] }
  const { encode_mode, options: audio } = writeCopiedAudio(probe, container)
  const options = ['-map', '0', ...same, ...endCopy(cut, cut.seconds, probe, container), ...START_AT_ZERO]
  return planOf(encode_mode, [
    indexPart(probe, cut, indexed, [...tracks, ...same], audio),
    copyStep([input], `trimmed.${container}`, cut.seconds, options),
  ])
}

function copiedTags(probe: MediaProbe, container: VideoContainer): string[] {
  return [...videoTag(probe.video.codec, container), ...keepMetadata(probe, container)]
}

function copyStep(
  inputs: FfmpegInput[],
  output: string,
  seconds: number,
  output_options: string[],
  audio: readonly string[] = [],
): FfmpegStep {
  return {
    kind: 'ffmpeg',
    // AVI and similar containers store no presentation timestamps, which other containers require.
    inputs: inputs.map((input) => ({ ...input, options: ['-fflags', '+genpts', ...input.options] })),
    filter_graph: null,
    output: {
      file: output,
      options: [...output_options, '-c', 'copy', ...audio, ...containerOptions(output)],
    },
    output_duration_seconds: seconds,
  }
}

/** Returns the plan; the last step writes the result. */
function planOf(encode_mode: EncodeMode, steps: [FfmpegStep, ...FfmpegStep[]]): Plan {
  const last = steps.at(-1) ?? steps[0]
  return { encode_mode, steps, outputs: [{ file: last.output.file }] }
}
