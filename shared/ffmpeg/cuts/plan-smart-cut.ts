import type { MediaProbe } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { type FfmpegStep, type JoinStep, type PlacedCut, SOURCE, type Step } from '../../planning/steps.ts'
import { FIXED_AUDIO_GRAPH } from '../audio/uniform-audio.ts'
import type { VideoEdit } from '../edit.ts'
import { ffmpegSeconds } from '../filters.ts'
import { applySeek, prepareEdits, renderAudioTracks, seeksOf } from '../graph.ts'
import { containerOptions, videoTag } from '../output/containers.ts'
import { keepMetadata } from '../output/metadata.ts'
import { nameTracks, writeAudio } from '../output/streams.ts'
import { chooseTreatment } from '../output/treatment.ts'
import { copiedSeconds, copiesFrames, type PlacedCuts } from './copied-frames.ts'
import { encodeAll } from './encode-all.ts'
import { type EncodedRange, encodeStretch, SOURCE_TIMES, startOf } from './encode-stretch.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'

const [JOINED, RESULT] = ['joined.mp4', 'result.mp4']

/** Reading continues this long after the last copied packet, because containers interleave tracks. */
const AFTER_SECONDS = 1

/** Ranges that one program encodes. More would make its filters slow. */
const STRETCH_RANGES_MAX = 20

/** A part of the result: ranges to encode together, or the copied frames of a cut. */
type Part = { encoded: [EncodedRange, ...EncodedRange[]] } | { copied: PlacedCut }

/**
 * Plans precise cuts that copy most of the video: encodes the frames at their ends, joins the parts, adds the audio, and
 * compares the result with the source.
 * @param edit the same cuts, for the audio.
 * @param full the plan that encodes everything, used if a part does not fit.
 */
export function planSmartCuts(probe: MediaProbe, cuts: PlacedCuts, edit: VideoEdit, full: Plan): Plan {
  const [{ timescale }] = cuts
  const last = cuts.at(-1) ?? cuts[0]
  const shares_sequence = cuts.some(({ is_open }) => is_open)
  const parts = partsOf(cuts)
  const files = parts.map((part, at) => ('copied' in part ? `copy${at}.mp4` : `encoded${at}.mp4`))
  const fileOf = (at: number) => files[at] ?? ''
  const end = last.length === null ? null : last.at + last.length
  const join: JoinStep = {
    ...{ kind: 'join', timescale, end, output: { file: JOINED } },
    parts: parts.map((part, at) => placePart(part, fileOf(at))),
    ...(shares_sequence && { shares_sequence }),
  }
  const steps: Step[] = [
    ...parts.map((part, at) =>
      'copied' in part
        ? copyPart(probe, part.copied, fileOf(at))
        : encodeStretch(probe, { timescale, shares_sequence }, part.encoded, fileOf(at)),
    ),
    join,
    addAudio(probe, edit, timescale),
    {
      ...{ kind: 'check_cut', file: RESULT, track: probe.video.index, cuts: [cuts[0], ...cuts.slice(1)] },
      reads_seconds: edit.after.duration_seconds + 2 * KEYFRAME_SECONDS,
    },
  ]
  return {
    encode_mode: full.encode_mode,
    steps,
    // The fallback encodes everything.
    ...(full.passes !== undefined && { passes: full.passes }),
    outputs: [{ file: RESULT }],
    body: { ...full.body, copied_seconds: copiedSeconds(cuts, edit.after.duration_seconds) },
    fallback: encodeAll(full, 'mismatch'),
  }
}

function partsOf(cuts: PlacedCuts): Part[] {
  const parts: Part[] = []
  const encode = (range: EncodedRange) => {
    const last = parts.at(-1)
    if (range.from >= range.to) return
    if (last !== undefined && 'encoded' in last && canFollow(last.encoded, range)) last.encoded.push(range)
    else parts.push({ encoded: [range] })
  }
  for (const cut of cuts) {
    const { zero, at, first, copy, tail } = cut
    encode({ zero, at, from: first, to: copy })
    if (copiesFrames(cut)) parts.push({ copied: cut })
    if (tail !== null) encode({ zero, at, from: tail.start, to: tail.end })
  }
  return parts
}

/** With a variable rate, two ranges may show the same frame, which a program reads only once. */
function canFollow(encoded: readonly EncodedRange[], { from }: EncodedRange): boolean {
  return encoded.length < STRETCH_RANGES_MAX && from >= (encoded.at(-1)?.to ?? 0)
}

function placePart(part: Part, file: string): JoinStep['parts'][number] {
  if ('encoded' in part) {
    const start = startOf(part.encoded[0])
    return { file, start, earliest: start, encoded: true }
  }
  const { at, zero, copy } = part.copied
  return { file, start: at + copy - zero, earliest: at, encoded: false }
}

/** Copies the packets between the encoded parts. A seek may land earlier, so packets before them are dropped. */
function copyPart({ video }: MediaProbe, { timescale, copy, copy_end }: PlacedCut, file: string): FfmpegStep {
  const late = copy_end === null ? '' : `+gt(dts,${copy_end.dts})`
  const to = copy_end === null ? [] : ['-to', ffmpegSeconds(copy_end.dts / timescale + AFTER_SECONDS)]
  return {
    kind: 'ffmpeg',
    inputs: [
      {
        file: SOURCE,
        options: ['-noaccurate_seek', '-ss', ffmpegSeconds(copy / timescale)],
        ...(copy_end !== null && { reads_seconds: (copy_end.pts - copy) / timescale }),
      },
    ],
    filter_graph: null,
    output: {
      file,
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
