import { failWith, type JobFailure } from '../../runtime/failure.ts'
import { readHead } from '../../runtime/image-head.ts'
import { CorruptImage, readSource } from '../../strip/bytes.ts'
import { listDoubtfulPages } from '../../strip/tiff-pages.ts'

const HEAD_BYTES = 1024

/** Image formats that no decoder here supports, recognized by the first bytes of the file in hexadecimal. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/^424d.{8}0{8}/, 'BMP'],
  [/^3842505300/, 'Photoshop (PSD)'],
  [/^(ff0a|0000000c4a584c20)/, 'JPEG XL'],
  [/^(0000000c6a502020|ff4fff51)/, 'JPEG 2000'],
  [/^00000100..00/, 'ICO'],
  [/^(25215053|c5d0d3c6)/, 'EPS'],
  [/^255044462d/, 'PDF'],
  // Canon, Panasonic, Olympus, Fujifilm, and Canon's newer format (CR3).
  [
    /^(49492a00.{8}4352|494955|4949524f|49495253|4d4d4f52|46554a4946494c4d|.{8}6674797063727820)/,
    'Camera Raw',
  ],
]
const SVG = /^[^<]*(<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE svg[^>]*>|\s)*<svg[\s>]/is

/** First bytes of files in supported formats, in hexadecimal: JPEG, PNG, GIF, WebP and HEIF. */
const SUPPORTED =
  /^(ffd8ff|89504e470d0a1a0a|474946383[79]61|52494646.{8}57454250|.{8}66747970(686569(63|78)|61766966|61766973|6d696631|6d736631))/
const TIFF = /^(4949(2a|2b)00|4d4d00(2a|2b))/

/** Explains why no decoder recognizes an image. Names the unsupported format, or says that the file is corrupt. */
export async function explainFormat(path: string): Promise<JobFailure> {
  const bytes = await readHead(path, HEAD_BYTES)
  const head = bytes.toString('hex', 0, 16)
  const [, named] = UNSUPPORTED.find(([start]) => start.test(head)) ?? []
  const name = named ?? (SVG.test(bytes.toString('latin1')) ? 'SVG' : null)
  if (name !== null) return failWith('image_format_unsupported', { format: name })
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
