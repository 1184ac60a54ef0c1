import { CorruptImage, readSource, rewriteFile } from './bytes.ts'
import { stripGif } from './gif.ts'
import { stripHeif } from './heif.ts'
import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripTiff } from './tiff.ts'
import { stripWebp } from './webp.ts'

const STRIPPERS = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: stripGif,
  tiff: stripTiff,
  heif: stripHeif,
} as const

/**
 * Copies an image with only what displaying it needs. The encoded pixels stay bit by bit.
 * @param format name of the format in sharp.
 * @throws CorruptImage if the file contradicts its format.
 */
export async function stripImage(
  { input, format, orientation }: { input: string; format: string; orientation: number },
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const strip = STRIPPERS[format as keyof typeof STRIPPERS]
  if (strip === undefined) throw new CorruptImage(`${format} has no list of what to keep`)
  await rewriteFile(input, output, signal, (source) => strip(source, orientation))
}

/**
 * Checks a HEIF file.
 * @throws CorruptImage if it ends before the data of its items.
 */
export async function checkHeif(path: string, signal: AbortSignal): Promise<void> {
  await readSource(path, signal, async (source) => {
    await stripHeif(source)
  })
}
