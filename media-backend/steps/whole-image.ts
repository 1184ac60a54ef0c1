import type { Metadata } from 'sharp'
import { isMediaTruncated } from '../facts/image-head.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { formatOf, imageFailure, openImage } from './sharp.ts'

/**
 * Decodes an image whose pixels are copied: a truncated one would come out as truncated, and done. Of HEIC, which
 * sharp cannot decode, the length of its media data is compared.
 * @throws JobFailure input_unreadable
 */
export async function requireWhole(
  file: string,
  header: Metadata,
  { folder, environment }: Run,
): Promise<void> {
  const path = fileIn(folder, file)
  if (formatOf(header) === 'heic') {
    if (!(await isMediaTruncated(path))) return
    throw new JobFailure('input_unreadable', 'The image is truncated. Upload the whole file.')
  }
  try {
    await openImage(path, environment).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
  } catch (error) {
    throw imageFailure(error, environment)
  }
}
