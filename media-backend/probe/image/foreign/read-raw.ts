import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { decode } from '../../../runtime/decoder/decode.ts'
import { failWith } from '../../../runtime/failure.ts'
import { fileIn } from '../../../runtime/folder.ts'
import { runImageProgram } from '../../../runtime/image-program.ts'
import type { Run } from '../../../runtime/run.ts'
import type { TiffImage } from './describe-tiff.ts'
import { decodePixels, readHeader } from './run-reader.ts'

/** The sensor's values, four channels of 16 bits, and the tables of the interpolation. */
const PIXEL_BYTES = 32
/** Camera's white balance, adaptive interpolation, and sRGB with its own curve. */
const DEVELOPED = ['-w', '-q', '3', '-o', '1', '-g', '2.4', '12.92', '-T']
/** A smaller preview is not the image. */
const PREVIEW_SIDE_MIN = 0.8
const PREVIEW = /^preview-\w+\.jpg$/
const EXIFTOOL_BYTES = 1024 ** 3

/**
 * Develops a camera raw file with LibRaw to an upright TIFF in sRGB. If LibRaw does not know the camera or the coding,
 * extracts the full-size preview instead.
 * @returns whether the result is the preview, and its file.
 * @throws JobFailure if the file is truncated, or has neither.
 */
export async function readRaw(
  { input, output }: { input: string; output: string },
  tiff: readonly TiffImage[],
  run: Run,
): Promise<{ file: string; is_preview: boolean }> {
  if (!tiff.every(({ is_inside }) => is_inside)) throw failWith('image_unreadable')
  const text = await readHeader('raw-identify', ['-v', input], run)
  const [, width, height] = /^Full size:\s+(\d+) x (\d+)/m.exec(text) ?? []
  if (width !== undefined && height !== undefined) {
    const size = { width: Number(width), height: Number(height), pixel_bytes: PIXEL_BYTES }
    const args = [...DEVELOPED, '-Z', output, input]
    const { stderr } = await decodePixels('dcraw_emu', args, size, run)
    if (existsSync(fileIn(run.folder, output))) return { file: output, is_preview: false }
    if (/unexpected end of file|corrupted data/i.test(stderr)) throw failWith('image_unreadable')
  }
  return { file: await extractPreview(input, run), is_preview: true }
}

/** Extracts the largest embedded JPEG and gives it the orientation of the raw image. */
async function extractPreview(input: string, run: Run): Promise<string> {
  const pictures = ['-JpgFromRaw', '-PreviewImage', '-OtherImage']
  const { stdout } = await exiftool(['-s3', '-n', '-ImageSize', input], run)
  const [raw_width = 0, raw_height = 0] = stdout.trim().split(/[ x]/).map(Number)
  await exiftool(['-b', ...pictures, '-W', 'preview-%t.jpg', input], run)
  let found = { file: '', side: 0 }
  for (const file of (await readdir(run.folder)).filter((name) => PREVIEW.test(name))) {
    const header = await decode('header', { file }, run).catch(() => null)
    const side = header === null ? 0 : Math.max(header.width, header.height)
    if (side > found.side) found = { file, side }
  }
  const { file, side } = found
  if (file === '' || side < PREVIEW_SIDE_MIN * Math.max(raw_width, raw_height))
    throw failWith('image_format_unsupported', { format: 'Camera Raw' })
  await exiftool(['-q', '-overwrite_original', '-tagsfromfile', input, '-Orientation', file], run)
  return file
}

function exiftool(args: readonly string[], run: Run) {
  return runImageProgram('exiftool', ['-config', '', ...args], run, {
    memory_bytes_max: EXIFTOOL_BYTES,
    file_bytes_max: run.environment.OUTPUT_BYTES_MAX,
    cpu_seconds_max: 30,
  })
}
