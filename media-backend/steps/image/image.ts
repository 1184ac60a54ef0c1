import { stat, writeFile } from 'node:fs/promises'
import type { ImageStep } from '../../../shared/planning/steps.ts'
import { failWith, JobFailure } from '../../runtime/failure.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { imageFailure, isOutOfTime, limitsOf, openImage } from '../../runtime/sharp.ts'
import { runMetadata } from '../metadata.ts'
import { drawStep } from './draw.ts'
import {
  type DrawnImage,
  type Encoded,
  encodeBuffer,
  encodeFile,
  keepDecoded,
  QUALITY_DEFAULT,
} from './encode.ts'
import { encodeFewColors } from './few-colors.ts'
import { findFloor, findQuality } from './find-quality.ts'
import type { ImageMeasure } from './measure.ts'

/**
 * Applies the EXIF orientation, then draws and encodes an image. The result is in sRGB, unless its profile is kept,
 * and has no metadata.
 * @throws JobFailure if the image cannot be read or cannot be compressed enough.
 */
export async function runImage(step: ImageStep, run: Run): Promise<ImageMeasure> {
  try {
    const header = await openImage(fileIn(run.folder, step.input), run.environment).metadata()
    const timed = withDeadline(run)
    const drawn = await drawStep(step, header, timed)
    run.signal.throwIfAborted()
    const { image, chosen } = await chooseQuality(drawn, step, timed)
    const measured = await encode(image, chosen, timed)
    run.signal.throwIfAborted()
    return { ...measured, ...(await comparedWithInput(step, run)) }
  } catch (error) {
    run.signal.throwIfAborted()
    throw imageFailure(error, run.environment)
  }
}

/** Sets a deadline that all pipelines share. */
function withDeadline(run: Run): Run {
  return { ...run, image_deadline_ms: performance.now() + run.environment.IMAGE_SECONDS_MAX * 1000 }
}

/**
 * Chooses the quality of a still image by its similarity to the source, if the step asks for that.
 * @returns the image with its decoded pixels, so it is not drawn again.
 */
export async function chooseQuality(
  image: DrawnImage,
  step: ImageStep,
  run: Run,
): Promise<{ image: DrawnImage; chosen: ImageStep }> {
  const { output } = step
  const { similarity_min, quality } = output
  if (similarity_min === undefined || quality !== null || image.space !== 'srgb')
    return { image, chosen: step }
  const decoded = await keepDecoded(image, limitsOf(run))
  if (decoded.raw === undefined) return { image, chosen: step }
  const found = await findQuality(decoded.raw, output, similarity_min, run)
  return { image: decoded, chosen: { ...step, output: { ...output, quality: found } } }
}

async function encode(image: DrawnImage, step: ImageStep, run: Run): Promise<ImageMeasure> {
  const { file, max_bytes, never_larger = false } = step.output
  if (max_bytes === null) return encodeFree(image, step, run)
  // If the input is within the limit, so is any result that is no larger. Only a result that must be lossless may
  // be larger.
  if (never_larger && (await sizeOf(originOf(step), run)) <= max_bytes) {
    const measured = await encodeFree(image, step, run)
    if ((await sizeOf(file, run)) <= max_bytes) return measured
  }
  return encodeWithin(max_bytes, image, step, run)
}

/** Marks a result that should be no larger than the input but is. */
async function comparedWithInput(
  step: ImageStep,
  run: Run,
): Promise<Pick<ImageMeasure, 'larger_than_input'>> {
  const { file, never_larger } = step.output
  if (never_larger !== true) return {}
  const is_larger = (await sizeOf(file, run)) > (await sizeOf(originOf(step), run))
  return is_larger ? { larger_than_input: true } : {}
}

/** Returns the uploaded file. */
function originOf({ input, decoded_from = input }: ImageStep): string {
  return decoded_from
}

async function sizeOf(file: string, { folder }: Run): Promise<number> {
  return (await stat(fileIn(folder, file))).size
}

async function encodeFree(image: DrawnImage, step: ImageStep, run: Run): Promise<ImageMeasure> {
  const { output } = step
  const path = fileIn(run.folder, output.file)
  const exact = output.never_larger === true ? await encodeFewColors(image, output, run) : null
  if (exact !== null) {
    await writeFile(path, exact.data)
    return measureOf(exact)
  }
  const info = await encodeFile(path, image, output, { ...limitsOf(run), signal: run.signal })
  const is_searched = output.similarity_min !== undefined && output.quality !== null
  const measured = {
    ...{ width: info.width, height: info.pageHeight ?? info.height },
    ...(is_searched && { quality: output.quality ?? QUALITY_DEFAULT[output.format] }),
  }
  if (output.never_larger !== true) return measured
  const size = await sizeOf(originOf(step), run)
  if (info.size <= size) return measured
  const kept = image.is_input ? await keepInput(step, run) : null
  if (kept !== null) return kept
  // A palette would make the result lossy.
  if (output.format === 'png' && output.quality === null) return measured
  const smaller = await search(size, image, step, run, { keeps_likeness: true }).catch((error: unknown) => {
    if (isOutOfTime(error)) return null
    throw error
  })
  if (smaller === null) return measured
  await writeFile(path, smaller.data)
  return measureOf(smaller)
}

/**
 * Keeps the input's pixels, which are better compressed than a new encode would be, and removes only the metadata.
 * Returns null if the metadata is corrupt and would remain.
 */
async function keepInput({ input, output: { file } }: ImageStep, run: Run): Promise<ImageMeasure | null> {
  const bare = { copy_from: null, strip: 'all', tags: {} } as const
  try {
    const measured = await runMetadata({ kind: 'metadata', input, ...bare, output: { file } }, run)
    return { ...measured, input_kept: true }
  } catch (error) {
    if (error instanceof JobFailure) return null
    throw error
  }
}

async function encodeWithin(
  bytes_max: number,
  image: DrawnImage,
  step: ImageStep,
  run: Run,
): Promise<ImageMeasure> {
  const { output } = step
  const best = await search(bytes_max, image, step, run)
  if (best === null) {
    const limit_kb = Math.floor(bytes_max / 1024)
    throw failWith('image_too_many_bytes', { limit_kb })
  }
  await writeFile(fileIn(run.folder, output.file), best.data)
  return measureOf(best)
}

function measureOf({ info, quality }: Encoded): ImageMeasure {
  const size = { width: info.width, height: info.pageHeight ?? info.height }
  return quality === 'lossless' ? { ...size, lossless: true } : { ...size, quality }
}

/**
 * Finds the best quality that produces at most `bytes_max`: the requested quality, or a lower one found by
 * bisection. When time runs out, returns the best result so far.
 * @param options `keeps_likeness`: tries no quality at which the image no longer looks like its source.
 * @returns null if no quality is low enough.
 * @throws if time runs out before any attempt was small enough.
 */
async function search(
  bytes_max: number,
  image: DrawnImage,
  step: ImageStep,
  run: Run,
  { keeps_likeness = false } = {},
): Promise<Encoded | null> {
  const { output } = step
  const { format, quality: requested_quality, never_larger = false } = output
  const decoded = await keepDecoded(image, limitsOf(run))
  const attempt = async <Quality extends Encoded['quality']>(
    quality: Quality,
    given: Quality | null = quality,
  ): Promise<Encoded & { quality: Quality }> => {
    run.signal.throwIfAborted()
    return {
      quality,
      ...(await encodeBuffer(decoded, output, given, { ...limitsOf(run), signal: run.signal })),
    }
  }
  const quality_used = requested_quality ?? QUALITY_DEFAULT[format]
  const first = await attempt(quality_used, requested_quality)
  if (first.data.length <= bytes_max) return first
  // Images with flat colors are smaller when lossless. A lossless input that already fits is likely such an image.
  const is_flat = never_larger && image.is_lossless && (await sizeOf(step.input, run)) <= bytes_max
  if (format === 'webp' && is_flat) {
    const whole = await attempt('lossless')
    if (whole.data.length <= bytes_max) return whole
  }
  // A PNG without a quality was tried as lossless above, so the search includes the best palette.
  const high = requested_quality === null && format === 'png' ? quality_used : quality_used - 1
  const compared = keeps_likeness ? decoded.raw : undefined
  const low = compared === undefined ? 1 : await findFloor(compared, output, quality_used, run)
  return bisect(bytes_max, [low, high], (quality) => attempt(quality))
}

/** Tries the qualities of a range by bisection. When time runs out, returns the best result so far, if any. */
async function bisect(
  bytes_max: number,
  range: readonly [low: number, high: number],
  attempt: (quality: number) => Promise<Encoded & { quality: number }>,
): Promise<Encoded | null> {
  let best: Encoded | null = null
  let [lower, upper] = range
  try {
    while (lower <= upper) {
      const tried = await attempt(Math.floor((lower + upper) / 2))
      if (tried.data.length <= bytes_max) {
        best = tried
        lower = tried.quality + 1
      } else upper = tried.quality - 1
    }
  } catch (error) {
    if (best === null || !isOutOfTime(error)) throw error
  }
  return best
}
