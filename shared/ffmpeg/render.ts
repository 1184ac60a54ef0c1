import type { MediaProbe, VideoTrack } from '../planning/facts.ts'
import type { Plan } from '../planning/operation.ts'
import { SOURCE, type TextStep, type UserDataStep } from '../planning/steps.ts'
import { type VideoEdit, videoEdit } from './edit.ts'
import { encodedSize } from './filters.ts'
import { prepareEdits } from './graph.ts'
import { codecOf } from './output/encoders.ts'
import { chooseTreatment, encodeModeOf, type Treatment } from './output/treatment.ts'
import { passesOf } from './passes.ts'
import { dropsMetadata, renderStep } from './render-step.ts'
import { planSpread } from './spread/plan-spread.ts'
import { alphaLoss, copiedAlphaLoss } from './video/alpha.ts'
import { shownColors } from './video/colors.ts'

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
    ...(source === SOURCE && planSpread(edits, probe, treatment, file)),
    body: {
      ...(treatment.video === 'copy'
        ? copiedAlphaLoss(probe.video, treatment.container)
        : alphaLoss(probe.video)),
      ...Object.assign({}, ...edits.map((edit) => edit.body)),
    },
  }
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
