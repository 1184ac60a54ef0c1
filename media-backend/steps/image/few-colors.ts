import type { ImageOutput } from '../../../shared/planning/steps.ts'
import type { Run } from '../../runtime/run.ts'
import { limitsOf, type RawImage } from '../../runtime/sharp.ts'
import { type DrawnImage, type Encoded, encodeBuffer, keepDecoded } from './encode.ts'

const COLORS_MAX = 256

/**
 * Encodes a still image of few colors, such as a scan or a diagram, without loss: lower quality would add halos, and
 * saves little.
 * @returns null for other images and formats.
 */
export async function encodeFewColors(
  image: DrawnImage,
  output: ImageOutput,
  run: Run,
): Promise<Encoded | null> {
  const { format, quality } = output
  if (image.space !== 'srgb' || (format !== 'webp' && (format !== 'png' || quality === null))) return null
  const decoded = await keepDecoded(image, limitsOf(run))
  const colors = decoded.raw === undefined ? null : countColors(decoded.raw)
  if (colors === null) return null
  const limits = { ...limitsOf(run), signal: run.signal }
  if (format === 'webp')
    return { quality: 'lossless', ...(await encodeBuffer(decoded, output, 'lossless', limits)) }
  const palette = { palette: true, quality: 100, colours: Math.max(2, colors), dither: 0, effort: 10 }
  const encoded = await decoded.open().png(palette).toBuffer({ resolveWithObject: true })
  return { quality: 'lossless', ...encoded }
}

/** Counts the colors of an image. Returns null if there are more than a palette holds. */
function countColors({ data, channels }: Pick<RawImage, 'data' | 'channels'>): number | null {
  const colors = new Set<number>()
  for (let at = 0; at < data.length; at += channels) {
    colors.add(data.readUIntBE(at, channels))
    if (colors.size > COLORS_MAX) return null
  }
  return colors.size
}
