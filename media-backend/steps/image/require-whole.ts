import { decode } from '../../runtime/decoder/decode.ts'
import type { Header } from '../../runtime/decoder/tasks.ts'
import { failWith, type JobFailure } from '../../runtime/failure.ts'
import { fileIn } from '../../runtime/folder.ts'
import { isMediaTruncated } from '../../runtime/image-head.ts'
import type { Run } from '../../runtime/run.ts'
import { formatOf } from '../../runtime/sharp.ts'
import { CorruptImage, readSource } from '../../strip/bytes.ts'
import { checkHeif } from '../../strip/index.ts'
import { listDoubtfulPages } from '../../strip/tiff-pages.ts'

/**
 * Checks that an image is complete before its pixels are copied, because a copy would stay truncated without an
 * error. Decodes the image, or, for HEIC, which sharp cannot decode, compares the positions of its items with the
 * file length. For a multi-page TIFF, also decodes the pages that may extend past the end of the file.
 * @throws JobFailure input_unreadable
 */
export async function requireWhole(file: string, header: Header, run: Run): Promise<void> {
  const path = fileIn(run.folder, file)
  if (formatOf(header) === 'heic') return requireItems(path, run)
  const pages = header.format === 'tiff' ? [0, ...(await doubtfulPages(path, run))] : [0]
  await decode('decode_pages', { file, pages }, run)
}

async function doubtfulPages(path: string, { signal }: Run): Promise<number[]> {
  let pages: number[] = []
  await readSource(path, signal, async (source) => {
    pages = await listDoubtfulPages(source)
  }).catch((error: unknown) => {
    if (error instanceof CorruptImage) throw truncated()
    throw error
  })
  return pages.filter((page) => page > 0)
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
  if (is_truncated || is_corrupt) throw truncated()
}

function truncated(): JobFailure {
  return failWith('image_unreadable')
}
