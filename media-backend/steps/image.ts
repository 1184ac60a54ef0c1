import { stat, writeFile } from 'node:fs/promises'
import type { ImageStep } from '../../shared/operations/steps.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { drawPicture } from './image-draw.ts'
import { type Encoded, encodePicture, keepDecoded, type Picture, QUALITY_DEFAULT } from './image-encode.ts'
import { imageFailure, outOfTime } from './sharp.ts'

/** What a picture turned out to be; the quality where it was searched for. */
export interface ImageMeasure extends Record<string, unknown> {
  width: number
  height: number
  quality?: number
}

/**
 * From the file through all actions to the encoder, with the EXIF orientation applied first. What is
 * written is in sRGB, unless its profile is kept, and carries no metadata.
 * @throws JobFailure when the picture can't be read or can't be made small enough.
 */
export async function runImage(step: ImageStep, run: Run): Promise<ImageMeasure> {
  try {
    const picture = await drawPicture(step, run)
    run.signal.throwIfAborted()
    const measured =
      step.output.max_bytes === null
        ? await encodeFree(picture, step, run)
        : await encodeWithin(step.output.max_bytes, picture, step, run)
    run.signal.throwIfAborted()
    return measured
  } catch (error) {
    run.signal.throwIfAborted()
    throw imageFailure(error, run.environment)
  }
}

async function encodeFree(picture: Picture, { output, input }: ImageStep, run: Run): Promise<ImageMeasure> {
  const path = fileIn(run.folder, output.file)
  const info = await encodePicture(picture, output, output.quality).toFile(path)
  const measured = { width: info.width, height: info.pageHeight ?? info.height }
  if (output.never_larger !== true) return measured
  const { size } = await stat(fileIn(run.folder, input))
  if (info.size <= size) return measured
  const smaller = await search(size, picture, output, run, deadlineOf(run))
  if (smaller === null) return measured
  await writeFile(path, smaller.data)
  return measureOf(smaller)
}

async function encodeWithin(
  bytes_max: number,
  picture: Picture,
  { output }: ImageStep,
  run: Run,
): Promise<ImageMeasure> {
  const deadline_ms = deadlineOf(run)
  const best = await search(bytes_max, picture, output, run, deadline_ms)
  if (best === null && performance.now() >= deadline_ms) throw outOfTime()
  if (best === null) {
    const limit_kb = Math.floor(bytes_max / 1024)
    throw new JobFailure(
      'parameter_refused',
      `max_kb: the picture cannot be made as small as ${limit_kb} KB.`,
    )
  }
  await writeFile(fileIn(run.folder, output.file), best.data)
  return measureOf(best)
}

/** All trials of a search together get as long as one pipeline. */
function deadlineOf({ environment }: Run): number {
  return performance.now() + environment.IMAGE_SECONDS_MAX * 1000
}

function measureOf({ info, quality }: Encoded): ImageMeasure {
  return { width: info.width, height: info.pageHeight ?? info.height, quality }
}

/**
 * The best quality whose file is no larger than `bytes_max`: the one asked for, or found by halving. Of a
 * picture whose trials take long it is the best that was found until the deadline.
 */
async function search(
  bytes_max: number,
  picture: Picture,
  output: ImageStep['output'],
  { environment, signal }: Run,
  deadline_ms: number,
): Promise<Encoded | null> {
  const { format, quality: asked } = output
  const decoded = await keepDecoded(picture, environment)
  const attempt = async (quality: number, given: number | null = quality): Promise<Encoded> => {
    signal.throwIfAborted()
    const encoder = encodePicture(decoded, output, given)
    return { quality, ...(await encoder.toBuffer({ resolveWithObject: true })) }
  }
  const wanted = asked ?? QUALITY_DEFAULT[format]
  const first = await attempt(wanted, asked)
  if (first.data.length <= bytes_max) return first
  let best: Encoded | null = null
  // A PNG without a quality was tried without loss; the best palette comes after that.
  let [low, high] = [1, asked === null && format === 'png' ? wanted : wanted - 1]
  while (low <= high && performance.now() < deadline_ms) {
    const tried = await attempt(Math.floor((low + high) / 2))
    if (tried.data.length <= bytes_max) {
      best = tried
      low = tried.quality + 1
    } else high = tried.quality - 1
  }
  return best
}
