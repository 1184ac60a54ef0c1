import type { ImageFormat } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { fromRaw, limitsOf, openImage, type RawImage } from '../../runtime/sharp.ts'
import { encodeFile } from './encode.ts'
import { measureSimilarity } from './similarity.ts'

/** The qualities that are tried. Their middles are near the defaults of the formats. */
const QUALITIES: Partial<Record<ImageFormat, { lowest: number; highest: number }>> = {
  jpeg: { lowest: 60, highest: 88 },
  webp: { lowest: 56, highest: 88 },
  avif: { lowest: 36, highest: 64 },
}
const QUALITY_STEP = 4
/** Structural similarity below which no quality is chosen to avoid a larger file. Contract: Image operations. */
const SIMILARITY_FLOOR = 0.8

/** Side of a sampled area in pixels, and where the areas lie as fractions of the space around them. */
const TILE = 256
const PLACES = [0.2, 0.8]

/**
 * Finds the lowest quality at which an image looks like its source. Only a sample of the image is encoded in the
 * search, so a large image takes little longer than without it.
 * @param similarity_min structural similarity that the sample reaches, unless even the highest quality does not.
 */
export async function findQuality(
  image: RawImage,
  { file, format }: { file: string; format: ImageFormat },
  similarity_min: number,
  run: Run,
): Promise<number | null> {
  const range = QUALITIES[format]
  if (range === undefined) return null
  const similarityAt = await compareSamples(image, { file, format }, run)
  let [low, high] = [0, (range.highest - range.lowest) / QUALITY_STEP]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await similarityAt(range.lowest + middle * QUALITY_STEP)) >= similarity_min) high = middle
    else low = middle + 1
  }
  return range.lowest + low * QUALITY_STEP
}

/**
 * Finds the lowest quality of an automatic search: below it, an image no longer looks like its source.
 * @param highest the quality at which the search starts.
 */
export async function findFloor(
  image: RawImage,
  output: { file: string; format: ImageFormat },
  highest: number,
  run: Run,
): Promise<number> {
  const similarityAt = await compareSamples(image, output, run)
  let [low, high] = [1, highest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await similarityAt(middle)) >= SIMILARITY_FLOOR) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns a function that encodes a sample of the image and measures its similarity to the source. */
async function compareSamples(
  image: RawImage,
  { file, format }: { file: string; format: ImageFormat },
  run: Run,
): Promise<(quality: number) => Promise<number>> {
  const limits = limitsOf(run)
  const sample = takeSample(image)
  const source = await readGray(fromRaw(sample, limits))
  const drawn = {
    ...{ open: () => fromRaw(sample, limits), animation: null, space: 'srgb' as const },
    ...{ adds_colors: false, is_lossless: false, is_input: false },
  }
  const path = fileIn(run.folder, `sample-${file}`)
  return async (quality) => {
    run.signal.throwIfAborted()
    await encodeFile(
      path,
      drawn,
      { file, format, quality, max_bytes: null },
      { ...limits, signal: run.signal },
    )
    const encoded = await readGray(openImage(path, limits))
    return measureSimilarity(source, encoded, sample)
  }
}

async function readGray(image: ReturnType<typeof fromRaw>): Promise<Uint8Array> {
  return image.flatten({ background: '#ffffff' }).grayscale().raw().toBuffer()
}

/** Stacks four areas of a large image; returns a small one as it is. */
function takeSample(image: RawImage): RawImage {
  const { width, height } = image
  if (width <= 2 * TILE && height <= 2 * TILE) return image
  const area = { width: Math.min(width, TILE), height: Math.min(height, TILE) }
  const rows = PLACES.flatMap((y) =>
    PLACES.flatMap((x) => {
      const place = {
        left: Math.round(x * (width - area.width)),
        top: Math.round(y * (height - area.height)),
      }
      return rowsOf(image, { ...area, ...place })
    }),
  )
  return { ...image, data: Buffer.concat(rows), width: area.width, height: rows.length }
}

function rowsOf(
  { data, width, channels }: RawImage,
  area: { left: number; top: number; width: number; height: number },
): Buffer[] {
  return Array.from({ length: area.height }, (_, row) => {
    const start = ((area.top + row) * width + area.left) * channels
    return data.subarray(start, start + area.width * channels)
  })
}
