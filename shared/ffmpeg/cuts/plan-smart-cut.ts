import type { MediaProbe } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { type FfmpegStep, type JoinStep, type SmartCut, SOURCE, type Step } from '../../planning/steps.ts'
import { FIXED_AUDIO_GRAPH } from '../audio/uniform-audio.ts'
import type { VideoEdit } from '../edit.ts'
import { ffmpegSeconds } from '../filters.ts'
import { applySeek, prepareEdits, renderAudioTracks, seeksOf, VIDEO_PAD } from '../graph.ts'
import { containerOptions, videoTag } from '../output/containers.ts'
import { keepMetadata } from '../output/metadata.ts'
import { nameTracks, writeAudio } from '../output/streams.ts'
import { chooseTreatment } from '../output/treatment.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { decodeFrom } from './leading-frames.ts'
import { partEncoder } from './part-encoder.ts'

const [HEAD, COPY, TAIL, JOINED, RESULT] = ['head.mp4', 'copy.mp4', 'tail.mp4', 'joined.mp4', 'trimmed.mp4']

/** Reading continues this long after the last copied packet, because containers interleave tracks. */
const AFTER_SECONDS = 1

/** Times of the source, from the start of the file. */
const SOURCE_TIMES = ['-copyts', '-start_at_zero']

/**
 * Plans a precise cut that copies most of the video: encodes the frames at its ends, joins the parts, adds the audio,
 * and compares the result with the source.
 * @param full the plan that encodes everything, used if a part does not fit.
 */
export function planSmartCut(
  probe: MediaProbe,
  cut: Cut,
  edit: VideoEdit,
  smart: SmartCut,
  full: Plan,
): Plan {
  const { timescale, zero, first, copy, is_open, tail } = smart
  const copied_seconds = copiedSeconds(cut, smart)
  const reads_seconds = cut.seconds + 2 * KEYFRAME_SECONDS
  const has_head = first < copy
  const parts: JoinStep['parts'] = [
    ...(has_head ? [{ file: HEAD, start: first - zero, encoded: true }] : []),
    { file: COPY, start: copy - zero, encoded: false },
    ...(tail === null ? [] : [{ file: TAIL, start: tail.start - zero, encoded: true }]),
  ]
  const steps: Step[] = [
    ...(has_head ? [encodePart(probe, smart, { start: first, end: copy }, cut.start, HEAD)] : []),
    copyPart(probe, smart, cut),
    ...(tail === null ? [] : [encodePart(probe, smart, tail, cut.start + cut.seconds, TAIL)]),
    {
      ...{ kind: 'join', timescale, parts, end: smart.length, output: { file: JOINED } },
      ...(is_open && { shares_sequence: true }),
    },
    addAudio(probe, edit, timescale),
    {
      kind: 'check_cut',
      file: RESULT,
      track: probe.video.index,
      cut: smart,
      reads_seconds,
    },
  ]
  return {
    encode_mode: full.encode_mode,
    steps,
    // The fallback encodes everything.
    ...(full.passes !== undefined && { passes: full.passes }),
    outputs: [{ file: RESULT }],
    body: { ...full.body, copied_seconds },
    fallback: full,
  }
}

function copiedSeconds(cut: Cut, { timescale, zero, copy, copy_end, tail }: SmartCut): number {
  const start = Math.max(0, copy - zero) / timescale
  const end = copy_end === null || tail === null ? cut.seconds : (tail.start - zero) / timescale
  return Math.round((end - start) * 1000) / 1000
}

/** Encodes the frames from `start` and before `end`, like the rest of the video. */
function encodePart(
  probe: MediaProbe,
  { timescale, is_open = false }: SmartCut,
  { start, end }: { start: number; end: number },
  seek_seconds: number,
  file: string,
): FfmpegStep {
  const { video } = probe
  const graph = `[0:${video.index}]trim=start_pts=${start}:end_pts=${end},setpts=PTS-${start}${VIDEO_PAD}`
  return {
    kind: 'ffmpeg',
    inputs: [
      {
        file: SOURCE,
        options: ['-noautorotate', '-noaccurate_seek', '-ss', ffmpegSeconds(decodeFrom(seek_seconds))],
        reads_seconds: (end - start) / timescale + KEYFRAME_SECONDS,
      },
    ],
    filter_graph: graph,
    output: {
      file,
      options: [
        ...[...SOURCE_TIMES, '-map', VIDEO_PAD, ...partEncoder(video, is_open)],
        ...['-fps_mode', 'passthrough', '-enc_time_base:v', `1:${timescale}`],
        ...['-video_track_timescale', String(timescale)],
      ],
    },
    output_duration_seconds: (end - start) / timescale,
  }
}

/** Copies the packets between the encoded parts. A seek may land earlier, so packets before them are dropped. */
function copyPart({ video }: MediaProbe, { timescale, copy, copy_end }: SmartCut, cut: Cut): FfmpegStep {
  const late = copy_end === null ? '' : `+gt(dts,${copy_end.dts})`
  const to = copy_end === null ? [] : ['-to', ffmpegSeconds(copy_end.dts / timescale + AFTER_SECONDS)]
  return {
    kind: 'ffmpeg',
    inputs: [
      {
        file: SOURCE,
        options: ['-noaccurate_seek', '-ss', ffmpegSeconds(copy / timescale)],
        reads_seconds: cut.seconds,
      },
    ],
    filter_graph: null,
    output: {
      file: COPY,
      options: [
        ...[...SOURCE_TIMES, '-map', `0:${video.index}`, '-c', 'copy', ...to],
        ...['-bsf:v', `noise=drop='lt(pts,${copy})${late}'`, '-video_track_timescale', String(timescale)],
      ],
    },
    output_duration_seconds: null,
  }
}

/** Adds the audio, which is encoded as in a full encode, and the metadata. */
function addAudio(probe: MediaProbe, edit: VideoEdit, timescale: number): FfmpegStep {
  const treatment = chooseTreatment([edit], probe)
  const prepared = prepareEdits([edit], probe)
  const { seek, edits, reads_seconds = 0 } = applySeek(prepared, seeksOf(prepared, probe)[0] ?? 0)
  const pads = Array.isArray(treatment.audio) ? renderAudioTracks(edits, probe, treatment.tracks) : []
  return {
    kind: 'ffmpeg',
    inputs: [
      { file: SOURCE, options: [...FIXED_AUDIO_GRAPH, ...seek], reads_seconds },
      { file: JOINED, options: [] },
    ],
    filter_graph: pads.length === 0 ? null : pads.map(({ part }) => part).join(';'),
    output: {
      file: RESULT,
      options: [
        ...['-map', '1:v', '-c:v', 'copy', ...videoTag(probe.video.codec, 'mp4')],
        ...['-video_track_timescale', String(timescale)],
        ...writeAudio(pads, treatment),
        ...nameTracks(treatment),
        ...['-map_chapters', '-1', ...containerOptions(RESULT), ...keepMetadata(probe, 'mp4')],
      ],
    },
    ...(pads.length > 0 && { audio_tracks: treatment.tracks.map(({ index }) => index) }),
    output_duration_seconds: edit.after.duration_seconds,
  }
}
