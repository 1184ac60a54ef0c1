import { failWith, type JobFailure } from '../../runtime/failure.ts'
import { readHead } from '../../runtime/image-head.ts'
import { CorruptImage, readSource } from '../../strip/bytes.ts'
import { listDoubtfulPages } from '../../strip/tiff-pages.ts'

const HEAD_BYTES = 16

/** Image formats that no decoder here supports, recognized by the first bytes of the file in hexadecimal. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/^(25215053|c5d0d3c6)/, 'EPS'],
  [/^255044462d/, 'PDF'],
]

/** First bytes of files in supported formats, in hexadecimal: JPEG, PNG, GIF, WebP and HEIF. */
const SUPPORTED =
  /^(ffd8ff|89504e470d0a1a0a|474946383[79]61|52494646.{8}57454250|.{8}66747970(686569(63|78)|61766966|61766973|6d696631|6d736631))/
const TIFF = /^(4949(2a|2b)00|4d4d00(2a|2b))/

/** Explains why no decoder recognizes an image. Names the unsupported format, or says that the file is corrupt. */
export async function explainFormat(path: string): Promise<JobFailure> {
  const bytes = await readHead(path, HEAD_BYTES)
  const head = bytes.toString('hex', 0, 16)
  const [, name] = UNSUPPORTED.find(([start]) => start.test(head)) ?? []
  if (name !== undefined) return failWith('image_format_unsupported', { format: name })
  if (SUPPORTED.test(head)) return failWith('image_unreadable')
  if (!TIFF.test(head)) return failWith('image_unsupported')
  return failWith((await isTruncatedTiff(path)) ? 'image_unreadable' : 'tiff_unsupported')
}

async function isTruncatedTiff(path: string): Promise<boolean> {
  let is_truncated = false
  await readSource(path, new AbortController().signal, async (source) => {
    is_truncated = (await listDoubtfulPages(source)).length > 0
  }).catch((error: unknown) => {
    if (!(error instanceof CorruptImage)) throw error
    is_truncated = true
  })
  return is_truncated
}
