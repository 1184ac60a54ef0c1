import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { measureSimilarity } from '../../media-backend/steps/image/similarity.ts'

/** An image of the corpus, decoded. */
export interface CorpusImage {
  name: string
  path: string
  open(): Sharp
  /** Encodes the image with a pipeline and compares the result with the image. */
  encode(pipeline: (image: Sharp) => Sharp): Promise<EncodedSize>
}

export interface EncodedSize {
  bytes: number
  similarity: number
  cpu_ms: number
}

export async function readImages(folder: string): Promise<CorpusImage[]> {
  const names = (await readdir(folder)).filter((name) => /\.(png|jpe?g|webp)$/i.test(name)).sort()
  return Promise.all(names.map((name) => readImage(name, join(folder, name))))
}

async function readImage(name: string, path: string): Promise<CorpusImage> {
  const pixels = sharp(path).flatten({ background: '#ffffff' }).toColorspace('srgb').removeAlpha().raw()
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const open = () => sharp(data, { raw: { width, height, channels } })
  const gray = await open().grayscale().raw().toBuffer()
  return {
    ...{ name, path, open },
    async encode(pipeline) {
      const before = process.cpuUsage()
      const encoded = await pipeline(open()).toBuffer()
      const { user, system } = process.cpuUsage(before)
      const decoded = await sharp(encoded).grayscale().raw().toBuffer()
      const similarity = measureSimilarity(gray, decoded, { width, height })
      return { bytes: encoded.length, similarity, cpu_ms: (user + system) / 1000 }
    },
  }
}
