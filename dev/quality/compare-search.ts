import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { QUALITY_DEFAULT } from '../../media-backend/steps/image/encode.ts'
import { operateImage } from '../../media-backend/testing/operate-image.ts'
import type { CorpusImage, EncodedSize } from './read-images.ts'

type Format = 'jpeg' | 'webp' | 'avif'

export interface ComparedSearch {
  format: Format
  fixed: Summary
  searched: Summary
}

interface Summary {
  bytes: number
  similarity_mean: number
  similarity_min: number
}

/** Compares `web_optimize`, which searches for a quality, with the same operation at the default of the format. */
export async function compareSearch(images: readonly CorpusImage[], format: Format): Promise<ComparedSearch> {
  const [fixed, searched]: [EncodedSize[], EncodedSize[]] = [[], []]
  for (const image of images) {
    const source = await sharp(await readFile(image.path))
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer()
    const measure = async (params: Record<string, unknown>) => {
      const { content } = await operateImage(source, [['web_optimize', { format, ...params }]])
      return { ...(await image.encode(() => sharp(content).png())), bytes: content.length }
    }
    fixed.push(await measure({ quality: QUALITY_DEFAULT[format] }))
    searched.push(await measure({}))
  }
  return { format, fixed: summarize(fixed), searched: summarize(searched) }
}

function summarize(sizes: readonly EncodedSize[]): Summary {
  const similarities = sizes.map(({ similarity }) => similarity)
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    similarity_mean: similarities.reduce((sum, similarity) => sum + similarity, 0) / sizes.length,
    similarity_min: Math.min(...similarities),
  }
}
