import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { supportsAnimation } from '../../../shared/images/formats.ts'
import type { ImageAction, ImageStep } from '../../../shared/planning/steps.ts'
import { failWith } from '../../runtime/failure.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import {
  countFrames,
  formatOf,
  fromRaw,
  limitsOf,
  openImage,
  type RawImage,
  type Space,
  toRaw,
} from '../../runtime/sharp.ts'
import { shownDelay } from '../../runtime/shown-delay.ts'
import { fillsBackground } from './actions.ts'
import { drawStages, type Manner } from './draw-stages.ts'
import type { DrawnImage } from './encode.ts'
import { checkSize, drawFrames } from './frames.ts'
import { convertGray, isGrayProfileIgnored } from './gray-profile.ts'
import { makeLayers } from './layers.ts'
import { choosePassage } from './passes.ts'
import { isSrgbProfile } from './srgb-profile.ts'
import { groupStages } from './stages.ts'

/** Sample formats with a known range. */
const SCALED: ReadonlySet<string> = new Set(['uchar', 'ushort', 'float', 'double'])
const WHOLE: ReadonlySet<string> = new Set(['uchar', 'ushort'])
const LOSSLESS: ReadonlySet<string> = new Set(['gif', 'png'])

/** Applies the actions of a step, except those in the last sharp pipeline, which runs with the encoder. */
export async function drawStep(step: ImageStep, source: Metadata, run: Run): Promise<DrawnImage> {
  const { format } = step.output
  const path = fileIn(run.folder, step.input)
  const gray = isGrayProfileIgnored(step, source) ? await convertGray(step, source, run) : null
  const header = gray === null ? source : { ...source, hasProfile: false }
  const stages = [...groupStages(step.actions), ...(keepsTurn(step, header) ? [[]] : [])]
  const animated = supportsAnimation(format) && countFrames(header) > 1
  const open = gray ?? ((range: SharpOptions = { animated }) => openImage(path, limitsOf(run), range))
  const layers = await makeLayers(step.actions, run)
  const input = { is_lossless: isLossless(step, source), is_input: isWritten(step, source) }
  const { delay = [], loop = 0 } = animated ? await open().metadata() : {}
  const played = { count: countFrames(header), delay: delay.map(shownDelay), loop }
  if (animated && !framesStayApart(stages)) {
    const { width, height, pageHeight = height } = header
    checkSize({ width, height: pageHeight * countFrames(header) }, run.environment)
    const frames = await drawFrames(open, stages, layers, run)
    const animation = { ...played, read: async (at: number, count: number) => partOf(frames, at, count) }
    const drawn = { open: () => fromRaw(frames, limitsOf(run)), animation }
    return { ...drawn, ...input, space: 'srgb', adds_colors: true }
  }
  const space = spaceOf(step, header)
  const passage = choosePassage(header, step.actions)
  const manner: Manner = { format, space, passage, is_opaque: !header.hasAlpha }
  const draw = (range?: SharpOptions) =>
    drawStages(() => begin(step, header, open(range)), stages, layers, manner, run)
  const read = async (page: number, pages: number) => toRaw((await draw({ page, pages }))().ensureAlpha())
  const animation = animated ? { ...played, read } : null
  return { ...input, open: await draw(), animation, space, adds_colors: step.actions.some(addsColors) }
}

/** Returns `count` of the vertically stacked frames, starting with `first`. */
function partOf(strip: RawImage, first: number, count: number): RawImage {
  const height = strip.page_height ?? strip.height
  const frame_bytes = strip.width * height * strip.channels
  const data = strip.data.subarray(first * frame_bytes, (first + count) * frame_bytes)
  return { ...strip, data, height: height * count, page_height: height }
}

/**
 * Prepares an image for all actions.
 * @throws JobFailure for signed or 32-bit samples, which libvips would clip instead of scaling.
 */
function begin(step: ImageStep, header: Metadata, opened: Sharp): Sharp {
  if (!SCALED.has(header.depth)) throw failWith('samples_unsupported')
  // Like browsers, leaves the frames of an animation unrotated.
  const is_upright = step.decoded_from !== undefined || countFrames(header) > 1
  const upright = is_upright ? opened : opened.autoOrient()
  if (keepsProfile(step, header)) return upright.keepIccProfile()
  const space = spaceOf(step, header)
  // sharp fills in the image's color space, so a color drawn on a gray image would become gray.
  if (step.actions.some(fillsBackground)) return upright.pipelineColorspace(space)
  // sharp converts 16-bit images with a profile to P3 unless sRGB is requested.
  if (space === 'rgb16' && header.hasProfile) return upright.withIccProfile('srgb', { attach: false })
  const is_deep = header.depth === 'ushort' && space === 'srgb' && header.hasProfile
  // Floating-point alpha would be scaled differently from the colors.
  return WHOLE.has(header.depth) && !is_deep ? upright : upright.pipelineColorspace('srgb')
}

/**
 * Returns the color space of the pipeline. 16-bit gray stays gray unless a background color is drawn. If the image
 * also has a profile, the result is 8-bit sRGB, because a 16-bit background would be in P3.
 */
function spaceOf({ actions, output }: ImageStep, { depth, space, hasProfile }: Metadata): Space {
  if (output.bits_per_channel !== 16 || depth !== 'ushort') return 'srgb'
  const is_filled = actions.some(fillsBackground)
  if (is_filled && hasProfile) return 'srgb'
  return space === 'grey16' && !is_filled ? 'grey16' : 'rgb16'
}

/**
 * Checks whether the profile can be kept. Images with a profile that is not RGB, such as CMYK, can only be
 * converted to sRGB.
 */
function keepsProfile({ output }: ImageStep, { hasProfile, space }: Metadata): boolean {
  return output.keeps_profile === true && hasProfile && (space === 'srgb' || space === 'rgb16')
}

/**
 * Checks whether the input needs no change: it is already in the output format, upright, and 8-bit sRGB. An sRGB
 * profile is kept.
 */
function isWritten({ actions, output, decoded_from }: ImageStep, header: Metadata): boolean {
  const { orientation = 1, hasProfile, icc, depth, space } = header
  const is_srgb = space === 'srgb' && (!hasProfile || (icc !== undefined && isSrgbProfile(icc)))
  const is_plain = depth === 'uchar' && (is_srgb || (space === 'b-w' && !hasProfile))
  const is_same = formatOf(header) === output.format && decoded_from === undefined
  return is_same && actions.length === 0 && orientation === 1 && is_plain
}

function isLossless({ decoded_from }: ImageStep, header: Metadata): boolean {
  return decoded_from === undefined && LOSSLESS.has(header.format)
}

function addsColors({ action }: ImageAction): boolean {
  return action !== 'crop' && action !== 'flip'
}

/**
 * Checks whether an AVIF would be rotated twice: sharp applies the orientation of the source even though the pixels
 * are already upright. An extra stage prevents that, because it passes on only pixels.
 */
function keepsTurn({ decoded_from, output }: ImageStep, { orientation = 1 }: Metadata): boolean {
  return decoded_from !== undefined && output.format === 'avif' && orientation > 1
}

/**
 * Checks whether sharp can process all frames at once. It crops and resizes each frame separately, but applies
 * everything else across frame borders.
 */
function framesStayApart(stages: readonly ImageAction[][]): boolean {
  return stages.length === 1 && stages.flat().every(({ action }) => action === 'crop' || action === 'resize')
}
