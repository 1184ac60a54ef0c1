import type { Metadata } from 'sharp'
import { isMediaTruncated } from '../facts/image-head.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { CorruptImage } from '../strip/bytes.ts'
import { checkHeif } from '../strip/index.ts'
import { formatOf, imageFailure, openImage } from './sharp.ts'

/**
 * Decodes an image whose pixels are copied: a truncated one would come out as truncated, and done. Of HEIC, which
 * sharp cannot decode, the places of its items are compared with the length of the file.
 * @throws JobFailure input_unreadable
 */
export async function requireWhole(file: string, header: Metadata, run: Run): Promise<void> {
  const path = fileIn(run.folder, file)
  if (formatOf(header) === 'heic') return requireItems(path, run)
  try {
    await openImage(path, run.environment).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer()
  } catch (error) {
    throw imageFailure(error, run.environment)
  }
}

async function requireItems(path: string, { signal }: Run): Promise<void> {
  const is_truncated = await isMediaTruncated(path)
  const is_corrupt = await checkHeif(path, signal).then(
    () => false,
    (error: unknown) => {
      if (error instanceof CorruptImage) return true
      throw error
    },
  )
  if (is_truncated || is_corrupt)
    throw new JobFailure('input_unreadable', 'The image is truncated or corrupt. Upload the whole file.')
}
