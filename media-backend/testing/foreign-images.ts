import sharp from 'sharp'
import { type Entry, encodeIfd, encodeTiffHeader, ifdBytes, numbersEntry } from '../strip/tiff-ifd.ts'

/** Makes images in formats that sharp does not read. */

const LAYOUT = { is_little: true, is_big: false }
const HEADER_BYTES = 8
const [BYTE, SHORT, LONG, RATIONAL, SIGNED_RATIONAL] = [1, 3, 4, 5, 10]
type Tags = Readonly<Record<number, readonly [type: number, values: readonly number[]]>>

/** One image of a TIFF: its tags, and the bytes of its only strip or tile. */
export interface TiffPart {
  tags: Tags
  data: Buffer
  is_tiled?: boolean
}

const one = (value: number) => [SHORT, [value]] as const
const text = (value: string): Entry => {
  const data = Buffer.from(`${value}\0`, 'latin1')
  return { tag: 271, type: 2, count: data.length, data }
}

/** Writes a TIFF of one image, with others inside it (SubIFDs). */
export function makeTiff(
  { tags, data, is_tiled }: TiffPart,
  inner: readonly TiffPart[] = [],
  make = '',
): Buffer {
  const bodies: Buffer[] = []
  let at = HEADER_BYTES
  const append = (bytes: Buffer) => {
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    bodies.push(padded)
    at += padded.length
    return at - padded.length
  }
  const directory = (part: TiffPart, more: readonly Entry[]) => {
    const place = append(part.data)
    const [offsets, counts] = part.is_tiled === true ? [324, 325] : [273, 279]
    const entries = [
      ...Object.entries(part.tags).map(([tag, [type, values]]) => entryOf(Number(tag), type, values)),
      numbersEntry(offsets, LONG, [place], LAYOUT),
      numbersEntry(counts, LONG, [part.data.length], LAYOUT),
      ...more,
    ]
    const start = at
    append(encodeIfd({ entries, next: 0 }, start, LAYOUT))
    if (ifdBytes(entries, LAYOUT) % 2 !== 0) throw new Error('a directory of odd length')
    return start
  }
  const places = inner.map((part) => directory(part, []))
  const more = [
    ...(places.length > 0 ? [numbersEntry(330, LONG, places, LAYOUT)] : []),
    ...(make === '' ? [] : [text(make)]),
  ]
  const first = directory({ tags, data, ...(is_tiled && { is_tiled }) }, more)
  return Buffer.concat([encodeTiffHeader(first, LAYOUT), ...bodies])
}

function entryOf(tag: number, type: number, values: readonly number[]): Entry {
  const is_rational = type === RATIONAL || type === SIGNED_RATIONAL
  if (!is_rational) return numbersEntry(tag, type, values, LAYOUT)
  const data = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) {
    data.writeInt32LE(Math.round(value * 10_000), index * 8)
    data.writeInt32LE(10_000, index * 8 + 4)
  }
  return { tag, type, count: values.length, data }
}

const RGB8: Tags = { 258: [SHORT, [8, 8, 8]], 259: one(1), 262: one(2), 277: one(3) }

export function sizeTags(width: number, height: number): Tags {
  return { 256: one(width), 257: one(height), 278: one(height) }
}

/** The thumbnail that cameras put first. */
function thumbnail(): TiffPart {
  const tags: Tags = { 254: [LONG, [1]], ...sizeTags(8, 8), ...RGB8 }
  return { tags, data: Buffer.alloc(8 * 8 * 3, 99) }
}

/** The conversion from CIE XYZ to the linear colors of sRGB. */
const XYZ_TO_RGB = [3.2405, -1.5371, -0.4985, -0.9693, 1.876, 0.0416, 0.0556, -0.204, 1.0572]
const DNG: Tags = {
  50706: [BYTE, [1, 4, 0, 0]],
  50721: [SIGNED_RATIONAL, XYZ_TO_RGB],
  50728: [RATIONAL, [1, 1, 1]],
  50778: one(21),
}

/**
 * Makes a DNG whose sensor saw a red left half and a gray right half, behind a thumbnail.
 * @param change tags of the sensor's image.
 */
export function makeDng(
  [width, height]: [number, number],
  change: Tags = {},
  more: readonly TiffPart[] = [],
): Buffer {
  const data = Buffer.alloc(width * height * 2)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const is_red = x % 2 === 0 && y % 2 === 0
      const level = x >= width / 2 ? 20_000 : is_red ? 40_000 : 2000
      data.writeUInt16LE(level + ((x * 7 + y * 13) % 64), (y * width + x) * 2)
    }
  const sensor: Tags = {
    ...{ 254: [LONG, [0]], ...sizeTags(width, height), 258: one(16), 259: one(1), 262: one(32_803) },
    ...{ 277: one(1), 33421: [SHORT, [2, 2]], 33422: [BYTE, [0, 1, 1, 2]] },
    ...{ 50714: [LONG, [0]], 50717: [LONG, [65_535]], ...change },
  }
  const { tags, data: small } = thumbnail()
  return makeTiff({ tags: { ...tags, ...DNG }, data: small }, [{ tags: sensor, data }, ...more], 'Maker')
}

/** A full-size preview of a raw file, as a JPEG. */
export async function previewOf(width: number, height: number): Promise<TiffPart> {
  const half = { create: { width: width / 2, height, channels: 3, background: '#ffffff' } } as const
  const drawn = sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
  const picture = drawn.composite([{ input: half, left: 0, top: 0 }])
  const tags: Tags = {
    ...{ 254: [LONG, [1]], ...sizeTags(width, height), 258: [SHORT, [8, 8, 8]], 259: one(7), 262: one(6) },
    277: one(3),
  }
  return { tags, data: await picture.jpeg().toBuffer() }
}

/** Makes a TIFF of 12-bit gray levels, two in three bytes. */
export function makeDeepTiff(levels: readonly number[], width: number): Buffer {
  const data = Buffer.from(
    Array.from({ length: levels.length / 2 }, (_, index) => {
      const [a = 0, b = 0] = levels.slice(index * 2)
      return [a >> 4, ((a & 15) << 4) | (b >> 8), b & 255]
    }).flat(),
  )
  const tags: Tags = {
    ...sizeTags(width, levels.length / width),
    258: one(12),
    259: one(1),
    262: one(1),
    277: one(1),
  }
  return makeTiff({ tags, data })
}

/** Makes a TIFF in the color space CIELab. */
export function makeLabTiff(lab: readonly [lightness: number, a: number, b: number], side: number): Buffer {
  const [lightness, a, b] = lab
  const pixel = [Math.round((lightness * 255) / 100), a & 255, b & 255]
  const data = Buffer.from(
    Array(side * side)
      .fill(pixel)
      .flat(),
  )
  return makeTiff({ tags: { ...sizeTags(side, side), ...RGB8, 262: one(8) }, data })
}

/** Makes a tiled TIFF that stores each channel separately. */
export function makePlanarTiff(planes: readonly Buffer[], side: number): Buffer {
  const data = Buffer.concat(planes)
  const tiles = planes.map((_, index) => HEADER_BYTES + index * side * side)
  const tags: Tags = {
    ...{ 256: one(side), 257: one(side), ...RGB8, 284: one(2), 322: one(side), 323: one(side) },
    ...{ 324: [LONG, tiles], 325: [LONG, tiles.map(() => side * side)] },
  }
  const entries = Object.entries(tags).map(([tag, [type, values]]) => entryOf(Number(tag), type, values))
  const start = HEADER_BYTES + data.length
  return Buffer.concat([
    encodeTiffHeader(start, LAYOUT),
    data,
    encodeIfd({ entries, next: 0 }, start, LAYOUT),
  ])
}

/** Wraps a JPEG as scanners of the nineties did: compression 6, the whole stream in one strip or tile. */
export function makeOldJpegTiff(jpeg: Buffer, side: number, is_tiled: boolean): Buffer {
  const size: Tags = is_tiled
    ? { 256: one(side), 257: one(side), 322: one(side), 323: one(side) }
    : sizeTags(side, side)
  const tags: Tags = {
    ...{ ...size, 258: [SHORT, [8, 8, 8]], 259: one(6), 262: one(6), 277: one(3), 530: [SHORT, [1, 1]] },
    ...{ 513: [LONG, [HEADER_BYTES]], 514: [LONG, [jpeg.length]] },
  }
  return makeTiff({ tags, data: jpeg, is_tiled })
}
