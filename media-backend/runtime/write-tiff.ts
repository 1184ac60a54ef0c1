import { closeSync, openSync, writeSync } from 'node:fs'
import type { Pixels } from './libheif.ts'

/** Rows that are written together, as a strip of their own. */
const STRIP_ROWS = 64
const HEADER_BYTES = 8
const ENTRY_BYTES = 12

/** Types of values, by the number that the format gives them. */
const [SHORT, LONG, BYTES] = [3, 4, 7]
type Entry = readonly [tag: number, type: number, values: readonly number[] | Buffer]

/**
 * Writes decoded pixels as an uncompressed TIFF (TIFF 6.0), which takes far less time than a PNG.
 * @param profile an ICC profile, or null for sRGB.
 */
export function writeTiff(path: string, pixels: Pixels, profile: Buffer | null): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    const strips = writeStrips(file, pixels)
    const end = HEADER_BYTES + strips.reduce((sum, bytes) => sum + bytes, 0)
    writeAll(file, makeDirectory(entriesOf(pixels, strips, profile), end), end)
    const header = Buffer.from('II*\0\0\0\0\0', 'latin1')
    header.writeUInt32LE(end, 4)
    writeAll(file, header, 0)
  } finally {
    closeSync(file)
  }
}

/** Writes the pixels after the header, and returns the length of each strip. */
function writeStrips(file: number, pixels: Pixels): number[] {
  const { width, height, channels, bits, stride, data } = pixels
  const row_bytes = (width * channels * bits) / 8
  const strips: number[] = []
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, height - top)
    const strip = Buffer.alloc(rows * row_bytes)
    for (let row = 0; row < rows; row += 1) {
      const start = (top + row) * stride
      strip.set(data.subarray(start, start + row_bytes), row * row_bytes)
    }
    scaleSamples(strip, pixels)
    writeAll(file, strip, HEADER_BYTES + top * row_bytes)
    strips.push(strip.length)
  }
  return strips
}

/** Scales samples of 10 or 12 bits to 16 bits. */
function scaleSamples(strip: Buffer, { bits, used_bits }: Pixels): void {
  if (bits === 8 || used_bits === 16) return
  const samples = new Uint16Array(strip.buffer, strip.byteOffset, strip.length / 2)
  const factor = 65_535 / (2 ** used_bits - 1)
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.round((samples[at] ?? 0) * factor)
}

function entriesOf(pixels: Pixels, strips: readonly number[], profile: Buffer | null): Entry[] {
  const { width, height, channels, bits } = pixels
  const [strip_bytes = 0] = strips
  return [
    [256, LONG, [width]],
    [257, LONG, [height]],
    // Bits per sample, no compression, RGB.
    [258, SHORT, Array<number>(channels).fill(bits)],
    [259, SHORT, [1]],
    [262, SHORT, [2]],
    [273, LONG, strips.map((_, index) => HEADER_BYTES + index * strip_bytes)],
    [277, SHORT, [channels]],
    [278, LONG, [STRIP_ROWS]],
    [279, LONG, strips],
    // Samples are interleaved. A fourth one is the alpha channel, by which the colors are not multiplied.
    [284, SHORT, [1]],
    ...(channels === 4 ? [[338, SHORT, [2]] as const] : []),
    ...(profile === null ? [] : [[34_675, BYTES, profile] as const]),
  ]
}

/**
 * Makes the directory of the image, followed by the values that do not fit into its entries.
 * @param start position of the directory in the file.
 */
function makeDirectory(entries: readonly Entry[], start: number): Buffer {
  const directory = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4)
  directory.writeUInt16LE(entries.length)
  const parts: Buffer[] = [directory]
  let end = start + directory.length
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = 2 + index * ENTRY_BYTES
    const bytes = encodeValues(type, values)
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    if (bytes.length <= 4) {
      bytes.copy(directory, at + 8)
      continue
    }
    directory.writeUInt32LE(end, at + 8)
    // Values start at even positions.
    parts.push(bytes, Buffer.alloc(bytes.length % 2))
    end += bytes.length + (bytes.length % 2)
  }
  return Buffer.concat(parts)
}

function encodeValues(type: number, values: readonly number[] | Buffer): Buffer {
  if (Buffer.isBuffer(values)) return values
  const bytes = type === SHORT ? 2 : 4
  const encoded = Buffer.alloc(values.length * bytes)
  for (const [index, value] of values.entries()) encoded.writeUIntLE(value, index * bytes, bytes)
  return encoded
}

/** Writes all bytes, or fails: a full disk may accept only some of them. */
function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
}
