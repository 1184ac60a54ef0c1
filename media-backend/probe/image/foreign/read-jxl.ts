import { failWith } from '../../../runtime/failure.ts'
import type { Run } from '../../../runtime/run.ts'
import { decodePixels, readHeader } from './run-reader.ts'

/** Channels are decoded as floating-point numbers. */
const PIXEL_BYTES = 48

/**
 * Decodes a JPEG XL image to an upright PNG with its color profile. An animation becomes an animated PNG.
 * @throws JobFailure if the file cannot be decoded.
 */
export async function readJxl({ input, output }: { input: string; output: string }, run: Run): Promise<void> {
  const text = await readHeader('jxlinfo', [input], run)
  const [, width, height] = /(\d+)x(\d+)/.exec(text) ?? []
  if (width === undefined || height === undefined) throw failWith('image_unreadable')
  const size = { width: Number(width), height: Number(height), pixel_bytes: PIXEL_BYTES }
  const { code } = await decodePixels('djxl', [input, output, '--num_threads=0'], size, run)
  if (code !== 0) throw failWith('image_unreadable')
}
