import { copiesFrames } from '../ffmpeg/cuts/copied-frames.ts'
import type { Plan } from './operation.ts'
import type { FramePass, SourceFrames } from './steps.ts'
import { passPixels } from './work.ts'

/** Input of which nothing is known but its length. */
export const TYPICAL_SOURCE: SourceFrames = { width: 1920, height: 1080, frames_per_second: 30 }

/*
 * The figures are CPU seconds, measured with `bash`'s `time` and /proc on real jobs: five seconds of 1080p video with 30
 * frames per second. A job that shares two cores with another takes about as long.
 */
const DECODED_PIXELS_PER_SECOND = 300_000_000
const DRAWN_PIXELS_PER_SECOND = 600_000_000
const ENCODED_PIXELS_PER_SECOND = 100_000_000
const START_SECONDS = 0.1
/** A probe of a search for a rate factor starts ffmpeg twice. */
export const PROBE_START_SECONDS = 2 * START_SECONDS

/** Frames that are decoded before the first one that is needed. */
const LEADING_SECONDS = 1
/** Copied frames that are compared at each end of a cut, with the frames that are decoded before them. */
const COMPARED_SECONDS = 2

/**
 * How much longer than x264 with the preset veryfast an encoder takes with each of its presets. Most encodes with that
 * preset, and with x265, also optimize coefficients (similarVideo), which is counted for all. Those that were not measured are between
 * their neighbors. SVT-AV1 takes 1.75 to 3.4 times as long as x264 with the preset of
 * the same name.
 */
const ENCODER_FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  libx264: {
    ultrafast: 0.35,
    superfast: 0.6,
    veryfast: 1.05,
    faster: 1.3,
    fast: 1.6,
    medium: 1.9,
    slow: 2.7,
  },
  libx265: { ultrafast: 1.9, superfast: 2.6, veryfast: 3.4, faster: 4.1, fast: 4.8, medium: 5.9, slow: 12.8 },
  libsvtav1: { 12: 1.2, 11: 1.5, 10: 2, 9: 2.8, 8: 4, 6: 8.5 },
  'libvpx-vp9': { '': 6.4 },
}

/**
 * Estimates the time of decoding, drawing and encoding the frames of a plan, in seconds. The last pass is that of the
 * encoder.
 */
export function estimateEncodeSeconds(
  { steps, passes = [] }: Pick<Plan, 'steps' | 'passes'>,
  source: SourceFrames = TYPICAL_SOURCE,
): number {
  const encoded = passes.at(-1)
  if (encoded === undefined) return 0
  const seconds = Math.max(...passes.map((pass) => pass.seconds))
  const drawn = passes.slice(0, -1).reduce((sum, pass) => sum + passPixels(pass), 0)
  const factor = encoderFactor(steps)
  const encode_seconds =
    passPixels({ ...source, seconds }) / DECODED_PIXELS_PER_SECOND +
    drawn / DRAWN_PIXELS_PER_SECOND +
    (passPixels(encoded) / ENCODED_PIXELS_PER_SECOND) * factor
  return encode_seconds + searchSeconds(steps, passes, source, factor)
}

/**
 * Estimates the time of a plan that copies most frames of its cuts. The others are encoded in the size of the source, and
 * all frames around the ends of the copies are decoded again, in the result and in the source.
 */
export function estimateCopiedCutSeconds(
  steps: Plan['steps'],
  source: SourceFrames = TYPICAL_SOURCE,
): number {
  const pixels = pixelsOf(source) * source.frames_per_second
  return steps.reduce((sum, step) => {
    if (step.kind === 'check_cut') {
      const compared_seconds = 2 * step.cuts.filter(copiesFrames).length * COMPARED_SECONDS
      return (
        sum + 2 * START_SECONDS * step.cuts.length + (compared_seconds * pixels) / DECODED_PIXELS_PER_SECOND
      )
    }
    const factor = encoderFactorOf(step)
    if (step.kind !== 'ffmpeg' || factor === 0) return sum
    const seconds = step.output_duration_seconds ?? 0
    // Encoded once, but decoded also for the comparison, in both files.
    const decoded_seconds = 3 * seconds + LEADING_SECONDS
    return (
      sum +
      START_SECONDS +
      (decoded_seconds * pixels) / DECODED_PIXELS_PER_SECOND +
      ((seconds * pixels) / ENCODED_PIXELS_PER_SECOND) * factor
    )
  }, 0)
}

/** Estimates the search for a rate factor: each probe decodes, draws and encodes all samples. */
function searchSeconds(
  steps: Plan['steps'],
  passes: readonly FramePass[],
  source: Pick<SourceFrames, 'width' | 'height'>,
  factor: number,
): number {
  const searches = steps.flatMap((step) => (step.kind === 'ffmpeg' ? (step.rate_search ?? []) : []))
  const frame_seconds =
    passes.slice(0, -1).reduce((sum, pass) => sum + pixelsOf(pass), 0) / DRAWN_PIXELS_PER_SECOND +
    (pixelsOf(passes.at(-1)) / ENCODED_PIXELS_PER_SECOND) * factor
  return searches.reduce(
    (sum, { frames, decoded_frames, probes_max }) =>
      sum +
      probes_max * (PROBE_START_SECONDS + decodeSeconds(decoded_frames, source) + frames * frame_seconds),
    0,
  )
}

/** Estimates the time of decoding frames, in seconds. */
export function decodeSeconds(frames: number, size: Pick<SourceFrames, 'width' | 'height'>): number {
  return (frames * pixelsOf(size)) / DECODED_PIXELS_PER_SECOND
}

function pixelsOf({ width, height }: Pick<FramePass, 'width' | 'height'> = { width: 0, height: 0 }): number {
  return width * height
}

function encoderFactor(steps: Plan['steps']): number {
  return Math.max(0, ...steps.map(encoderFactorOf)) || 1
}

/** Returns 0 for steps that encode no video. */
function encoderFactorOf(step: Plan['steps'][number]): number {
  if (step.kind !== 'ffmpeg') return 0
  const { options } = step.output
  const of = (name: string) => (options.includes(name) ? (options[options.indexOf(name) + 1] ?? '') : '')
  return ENCODER_FACTORS[of('-c:v')]?.[of('-preset')] ?? 0
}
