import { readFile, stat } from 'node:fs/promises'
import { failWith } from '../../../runtime/failure.ts'
import { fileIn } from '../../../runtime/folder.ts'
import type { Run } from '../../../runtime/run.ts'
import { decodePixels } from './run-reader.ts'
import { findActivePart, readSvgSize } from './svg-text.ts'

const SVG_BYTES_MAX = 5 * 1024 ** 2
/** Filters and groups are drawn on surfaces of their own. */
const PIXEL_BYTES = 64
/** Drawings take milliseconds; filters of filters take hours. */
const SECONDS_MAX = 8

/**
 * Draws an SVG at its own size to a PNG, with librsvg.
 * @throws JobFailure if it has scripts, entities or references to other files, or cannot be drawn.
 */
export async function readSvg({ input, output }: { input: string; output: string }, run: Run): Promise<void> {
  const path = fileIn(run.folder, input)
  if ((await stat(path)).size > SVG_BYTES_MAX)
    throw failWith('svg_too_large', { megabytes: SVG_BYTES_MAX / 1024 ** 2 })
  const text = await readFile(path, 'utf8')
  const part = findActivePart(text)
  if (part !== null) throw failWith('svg_part_unsupported', { part })
  const { width, height } = readSvgSize(text)
  const size = { width, height, pixel_bytes: PIXEL_BYTES, seconds_max: SECONDS_MAX }
  const sides = ['--width', String(width), '--height', String(height)]
  const args = [...sides, '--format', 'png', '--output', output, input]
  const { code } = await decodePixels('rsvg-convert', args, size, run)
  if (code !== 0) throw failWith('image_unreadable')
}
