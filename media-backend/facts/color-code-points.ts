import { type FileHandle, open } from 'node:fs/promises'
import type { ColorCodePoints } from '../../shared/operations/facts.ts'
import { readHeifColor } from './heif-color.ts'

/** Primaries and transfers that are shown as sRGB: BT.709, its equals, and what is unspecified. */
const SRGB_PRIMARIES: ReadonlySet<number> = new Set([0, 1, 2, 3])
const SRGB_TRANSFERS: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 13, 14, 15])
/** The index of a HEIF file with hundreds of tiles is smaller, and so is all that precedes a PNG's pixels. */
const HEAD_BYTES_MAX = 1_048_576
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Reads the color code points (ITU-T H.273) of a HEIF or PNG file, which libvips ignores.
 * @returns undefined for sRGB, for a file with an ICC profile, and where the file has none.
 */
export async function readColorCodePoints(path: string): Promise<ColorCodePoints | undefined> {
  const file = await open(path)
  try {
    const start = await readBytes(file, 0, 16)
    const color = start.subarray(0, 8).equals(PNG_SIGNATURE)
      ? readPngColor(await readBytes(file, 0, HEAD_BYTES_MAX))
      : readHeifColor(await readMeta(file))
    if (color === null) return undefined
    const is_srgb = SRGB_PRIMARIES.has(color.primaries) && SRGB_TRANSFERS.has(color.transfer)
    return is_srgb ? undefined : color
  } finally {
    await file.close()
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The body of the first "meta" box at the top of a file; empty where there is none. */
async function readMeta(file: FileHandle): Promise<Buffer> {
  const { size: end } = await file.stat()
  for (let at = 0; at + 8 <= end; ) {
    const header = await readBytes(file, at, 16)
    if (header.length < 16) break
    const size = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const length = size === 1 ? Number(header.readBigUInt64BE(8)) : size
    if (type === 'meta') return readBytes(file, at + 8, Math.min(length - 8, HEAD_BYTES_MAX))
    if (length < 8) break
    at += length
  }
  return Buffer.alloc(0)
}

/** The chunk cICP stands before the pixels (PNG, third edition, 11.3.2.6). */
function readPngColor(head: Buffer): ColorCodePoints | null {
  for (let at = PNG_SIGNATURE.length; at + 12 <= head.length; ) {
    const length = head.readUInt32BE(at)
    const type = head.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return null
    if (type === 'cICP') return { primaries: head.readUInt8(at + 8), transfer: head.readUInt8(at + 9) }
    at += 12 + length
  }
  return null
}
