import type { MediaProbe, VideoTrack } from '../planning/facts.ts'
import type { Plan } from '../planning/operation.ts'
import {
  type FfmpegStep,
  type FramePass,
  SOURCE,
  type TextStep,
  type UserDataStep,
} from '../planning/steps.ts'
import { framePass } from '../planning/work.ts'
import { FIXED_AUDIO_GRAPH } from './audio/uniform-audio.ts'
import { readWithFallbacks } from './cuts/source.ts'
import { type VideoEdit, videoEdit } from './edit.ts'
import { encodedSize } from './filters.ts'
import {
  type AudioPad,
  applySeek,
  type PreparedEdit,
  prepareEdits,
  renderAudioTracks,
  renderVideo,
  type SourceRead,
  seeksOf,
} from './graph.ts'
import { containerOptions } from './output/containers.ts'
import { codecOf } from './output/encoders.ts'
import { keepMetadata } from './output/metadata.ts'
import { nameTracks, writeAudio, writeCover, writeSubtitles, writeVideo } from './output/streams.ts'
import { chooseTreatment, encodeModeOf, type Treatment } from './output/treatment.ts'
import { alphaLoss, copiedAlphaLoss, keepAlphaTag } from './video/alpha.ts'
import { shownColors } from './video/colors.ts'
import { normalizeFrames } from './video/normalize-frames.ts'

/** Plans a sequence of edits as one ffmpeg run. Streams that no edit changes are copied. */
export function planVideoEdits(
  edits: readonly [VideoEdit, ...VideoEdit[]],
  probe: MediaProbe,
  { stem, source = SOURCE }: { stem: string; source?: string },
): Plan {
  const treatment = chooseTreatment(edits, probe)
  const file = `${stem}.${treatment.container}`
  return {
    encode_mode: encodeModeOf(treatment),
    steps: [
      ...writeTexts(edits),
      ...edits.flatMap(({ images }) => images),
      renderStep(prepareEdits(edits, probe), probe, treatment, source, file),
      ...blankUserData(edits, probe, treatment, file),
    ],
    passes: treatment.video === 'copy' ? [] : passesOf(edits, probe),
    outputs: [{ file }],
    ...neverLarger(edits, probe, source),
    body: {
      ...(treatment.video === 'copy'
        ? copiedAlphaLoss(probe.video, treatment.container)
        : alphaLoss(probe.video)),
      ...Object.assign({}, ...edits.map((edit) => edit.body)),
    },
  }
}

function dropsMetadata(edits: readonly Pick<VideoEdit, 'options'>[]): boolean {
  return edits.some(({ options }) => options.includes('-map_metadata'))
}

/** Overwrites what a camera wrote into the coded frames of a copied video, if metadata is dropped. */
function blankUserData(
  edits: readonly VideoEdit[],
  { video: { codec } }: MediaProbe,
  { video }: Treatment,
  file: string,
): UserDataStep[] {
  if (!dropsMetadata(edits) || video !== 'copy' || (codec !== 'h264' && codec !== 'hevc')) return []
  return [{ kind: 'user_data', input: file, codec, output: { file } }]
}

/** Plans the copy of the input that replaces a larger result. */
function neverLarger(edits: readonly VideoEdit[], probe: MediaProbe, source: string): Partial<Plan> {
  const { size_bytes: input_bytes } = probe
  const is_wanted = edits.length === 1 && edits[0]?.encoding.never_larger === true
  if (!is_wanted || input_bytes === undefined) return {}
  const copy = planVideoEdits([videoEdit(probe, {})], probe, { stem: 'kept', source })
  return copy.encode_mode === 'encode' ? {} : { never_larger: { input_bytes, copy } }
}

/** Returns one pass for each operation that draws and one for the encode. */
function passesOf(edits: readonly VideoEdit[], probe: MediaProbe): FramePass[] {
  const drawn = edits.filter(({ cut, video }) => cut !== null || video !== null)
  return [...drawn.map(({ after }) => framePass(after)), framePass(edits.at(-1)?.after ?? probe)]
}

/** Returns the probe of the file that planVideoEdits writes, for operations that process it. */
export function probeAfter(edits: readonly VideoEdit[], probe: MediaProbe): MediaProbe {
  const treatment = chooseTreatment(edits, probe)
  const after = edits.at(-1)?.after ?? probe
  const { video, audio, container } = treatment
  const audio_pads = audio === null ? 0 : Math.max(1, treatment.tracks.length)
  return {
    container: container === 'mkv' || container === 'webm' ? 'matroska,webm' : 'mov,mp4,m4a,3gp,3g2,mj2',
    duration_seconds: after.duration_seconds,
    video: video === 'copy' ? { ...probe.video, index: 0 } : encodedTrack(after, video),
    audio: Array.from({ length: audio_pads }, (_, position) => ({
      index: position + 1,
      codec: (Array.isArray(audio) ? codecOf(audio) : treatment.tracks[position]?.codec) ?? 'unknown',
      channels: audio === 'copy' ? (treatment.tracks[position]?.channels ?? 2) : 2,
      ...(audio_pads > 1 && treatment.tracks[position]?.is_default && { is_default: true }),
    })),
    subtitles: [],
  }
}

function encodedTrack({ video }: MediaProbe, encoder: string[]): VideoTrack {
  return {
    ...video,
    ...encodedSize(video),
    index: 0,
    codec: codecOf(encoder) ?? 'unknown',
    stored: undefined,
    rotation_degrees: 0,
    mirrored: undefined,
    pixel_format: 'yuv420p',
    has_alpha: undefined,
    lacks_display_times: undefined,
    reorders_frames: undefined,
    timescale: undefined,
    ...shownColors(video),
    interlaced: false,
  }
}

/** Writes text files. They are named after their content, so two edits can share one. */
function writeTexts(edits: readonly VideoEdit[]): TextStep[] {
  const contents = new Map(edits.flatMap(({ texts }) => texts.map(({ file, content }) => [file, content])))
  return [...contents].map(([file, content]) => ({ kind: 'text', file, content }))
}

function renderStep(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
  file: string,
): FfmpegStep {
  const after = edits.at(-1)?.after ?? probe
  const drops_metadata = dropsMetadata(edits)
  return {
    kind: 'ffmpeg',
    // A seek may land after the required keyframe; fallbacks read from earlier positions.
    ...readWithFallbacks(seeksOf(edits, probe), (start) =>
      readSource(applySeek(edits, start), probe, treatment, source),
    ),
    output: {
      file,
      options: [
        ...writeVideo(probe, after, treatment),
        ...writeAudio(audioPads(edits, probe, treatment), treatment),
        ...(edits.some(({ subtitles }) => subtitles === 'none')
          ? []
          : [...writeSubtitles(probe, treatment), ...writeCover(probe, treatment)]),
        ...(drops_metadata ? [] : nameTracks(treatment)),
        ...(keepsTimes(edits, probe) ? [] : ['-map_chapters', '-1']),
        ...containerOptions(file),
        ...(drops_metadata ? [] : keepMetadata(probe, treatment.container)),
        ...edits.flatMap((edit) => edit.options),
        ...(treatment.video === 'copy' ? keepAlphaTag(probe.video, treatment.container) : []),
      ],
    },
    ...(Array.isArray(treatment.audio) && { audio_tracks: treatment.tracks.map(({ index }) => index) }),
    output_duration_seconds: after.duration_seconds,
  }
}

/** Returns the inputs and the graph that renders them to the output pads. */
function readSource(
  { seek, edits, reads_seconds }: SourceRead,
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
): Pick<FfmpegStep, 'inputs' | 'filter_graph'> {
  const copies = treatment.video === 'copy'
  const files = edits.flatMap((edit) =>
    edit.files.map(({ file, options }) => ({ file, options: [...options] })),
  )
  const graph = [
    ...(copies ? [] : renderVideo(edits, probe)),
    ...audioPads(edits, probe, treatment).map(({ part }) => part),
  ]
  const read = [
    // AVI and similar containers store no presentation timestamps, which other containers require.
    ...(copies ? ['-fflags', '+genpts'] : normalizeFrames(probe).options),
    ...(Array.isArray(treatment.audio) ? FIXED_AUDIO_GRAPH : []),
  ]
  return {
    inputs: [{ file: source, options: [...read, ...seek], reads_seconds }, ...files],
    filter_graph: graph.length === 0 ? null : graph.join(';'),
  }
}

function audioPads(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  { audio, tracks }: Treatment,
): AudioPad[] {
  return Array.isArray(audio) ? renderAudioTracks(edits, probe, tracks) : []
}

/** Checks whether timestamps are unchanged, so chapters stay valid: no cut, truncation or speed change. */
function keepsTimes(edits: readonly VideoEdit[], probe: MediaProbe): boolean {
  if (probe.missing_seconds !== undefined) return false
  return edits.every(({ cut, after }) => cut === null && after.duration_seconds === probe.duration_seconds)
}
