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
 * Copies an image with only what is needed to display it. The encoded pixels stay identical bit for bit.
 * @param format sharp's name for the format.
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
 * Checks that a HEIF file is complete.
 * @throws CorruptImage if the file ends before the data of its items does.
 */
export async function checkHeif(path: string, signal: AbortSignal): Promise<void> {
  await readSource(path, signal, async (source) => {
    await stripHeif(source)
  })
}
