import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import {
  encodeIfd,
  encodeTiffHeader,
  ifdBytes,
  type Layout,
  LONG,
  numbersEntry,
  SHORT,
} from '../strip/tiff-ifd.ts'
import { box, number32 } from './boxes.ts'
import { makeClip } from './clips.ts'

/** Text that must not remain in an image without metadata, in any of the positions below. */
export const SECRET = 'SECRET-4711'
const TEXT = Buffer.from(SECRET, 'latin1')
const LITTLE: Layout = { is_little: true, is_big: false }

/** Tags that exiftool writes into an image: person, device and location. */
export const SECRET_TAGS = [
  ...['Make', 'Model', 'Artist', 'HostComputer', 'DocumentName', 'PageName', 'SerialNumber', 'OwnerName'].map(
    (name) => `-${name}=${SECRET}`,
  ),
  ...[
    `-LensSerialNumber=${SECRET}`,
    `-Comment=${SECRET}`,
    `-XMP-dc:Creator=${SECRET}`,
    `-IPTC:City=${SECRET}`,
  ],
  ...['-GPSLatitude=48.2', '-GPSLatitudeRef=N', '-GPSLongitude=16.37', '-GPSLongitudeRef=E'],
]

function segment(marker: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Adds another device's maker note to the EXIF of a JPEG. */
export function withMakerNote(jpeg: Buffer): Buffer {
  const note = { tag: 0x927c, type: 7, count: TEXT.length, data: TEXT }
  const exif_at = 8 + ifdBytes([numbersEntry(0x8769, LONG, [0], LITTLE)], LITTLE)
  const pointer = numbersEntry(0x8769, LONG, [exif_at], LITTLE)
  const exif = Buffer.concat([
    encodeTiffHeader(8, LITTLE),
    encodeIfd({ entries: [pointer], next: 0 }, 8, LITTLE),
    encodeIfd({ entries: [note], next: 0 }, exif_at, LITTLE),
  ])
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.from('Exif\0\0', 'latin1'), exif),
    jpeg.subarray(2),
  ])
}

/** Makes the video part of a motion photo, with a title and a location. */
export function motionVideo(): Promise<Buffer> {
  return makeClip('motion.mp4', [
    ...['-f', 'lavfi', '-i', 'color=size=64x64:duration=0.2:rate=10', '-c:v', 'libx264'],
    ...['-metadata', `title=${SECRET}`, '-metadata', 'place=+48.2000+016.3700/'],
    ...['-movflags', '+use_metadata_tags'],
  ])
}

/** Adds maker segments, comments, another image with EXIF, and a video to a JPEG. */
export async function plantInJpeg(jpeg: Buffer): Promise<Buffer> {
  const makers = [0xe0, 0xe3, 0xe4, 0xe5, 0xea, 0xec, 0xed, 0xee, 0xef, 0xfe].map((marker) =>
    segment(marker, TEXT),
  )
  const thumbnail = segment(0xe0, Buffer.from('JFXX\0\x10', 'latin1'), TEXT)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    ...makers,
    thumbnail,
    jpeg.subarray(2),
    jpeg,
    await motionVideo(),
  ])
}

/** Adds text under the given keywords, in two kinds of chunks. */
export function plantInPng(png: Buffer, keywords = ['Location', 'Comment']): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    return Buffer.concat([number32(content.length), body, number32(crc32(body))])
  }
  const texts = keywords.flatMap((keyword) => [
    chunk('tEXt', Buffer.concat([Buffer.from(`${keyword}\0`), TEXT])),
    chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`), TEXT])),
  ])
  const header_end = 33
  return Buffer.concat([png.subarray(0, header_end), ...texts, png.subarray(header_end)])
}

/** Adds unknown chunks to the file and to each frame, and trailing bytes. */
export function plantInWebp(webp: Buffer): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(content.length)
    return Buffer.concat([Buffer.from(type), size, content, Buffer.alloc(content.length % 2)])
  }
  const parts: Buffer[] = []
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4)
    const content = webp.subarray(at + 8, at + 8 + size)
    const type = webp.toString('latin1', at, at + 4)
    parts.push(chunk(type, type === 'ANMF' ? Buffer.concat([content, chunk('prvt', TEXT)]) : content))
    at += 8 + size + (size % 2)
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts, chunk('prvt', TEXT)])
  return Buffer.concat([chunk('RIFF', body), TEXT])
}

/** Adds a comment, an application extension, and trailing bytes. */
export function plantInGif(gif: Buffer): Buffer {
  const palette = (gif[10] ?? 0) & 0x80 ? 3 * 2 ** (((gif[10] ?? 0) & 7) + 1) : 0
  const block = Buffer.concat([Buffer.from([TEXT.length]), TEXT, Buffer.from([0])])
  const application = Buffer.concat([Buffer.from('\x21\xff\x0bPRIVATEDATA', 'latin1'), block])
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe]), block])
  const head = gif.subarray(0, 13 + palette)
  return Buffer.concat([head, comment, application, gif.subarray(13 + palette), TEXT])
}

/** Adds the video box of a motion photo, an unknown box, and trailing bytes. */
export function plantInHeif(heif: Buffer): Buffer {
  return Buffer.concat([heif, box('mpvd', TEXT), box('prvt', TEXT), TEXT])
}

/** Makes a two-page gray TIFF with secrets in known tags, in private tags, and in a preview. */
export function plantedTiff(): Buffer {
  const [width, height] = [8, 8]
  const pixels = [Buffer.alloc(64, 50), Buffer.alloc(64, 200)]
  const ascii = (tag: number) => ({ tag, type: 2, count: TEXT.length, data: TEXT })
  const number = (tag: number, type: number, value: number) => numbersEntry(tag, type, [value], LITTLE)
  const preview = Buffer.concat([TEXT, TEXT])
  const preview_at = 8 + 128
  let at = preview_at + preview.length
  const parts: Buffer[] = [encodeTiffHeader(at, LITTLE), ...pixels, preview]
  for (const [page] of pixels.entries()) {
    const entries = [
      ...[number(256, LONG, width), number(257, LONG, height), number(258, SHORT, 8), number(259, SHORT, 1)],
      ...[
        number(262, SHORT, 1),
        number(273, LONG, 8 + 64 * page),
        number(277, SHORT, 1),
        number(278, LONG, height),
      ],
      ...[
        number(279, LONG, 64),
        number(282, LONG, 72),
        number(513, LONG, preview_at),
        number(514, LONG, preview.length),
      ],
      // DocumentName, PageName, HostComputer, GeoAsciiParams, CameraSerialNumber, and a private tag.
      ...[269, 285, 316, 34737, 50735, 65000].map(ascii),
    ]
    const encoded = encodeIfd({ entries, next: 0 }, at, LITTLE)
    at += encoded.length
    const next = page === 0 ? at : 0
    parts.push(encodeIfd({ entries, next }, at - encoded.length, LITTLE))
  }
  return Buffer.concat(parts)
}

/** Makes an animation with two frames. */
export function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frame = 16 * 16 * 3
  const pixels = Buffer.concat([Buffer.alloc(frame, 40), Buffer.alloc(frame, 220)])
  const image = sharp(pixels, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
  return format === 'gif'
    ? image.gif({ delay: [100, 200], loop: 3 }).toBuffer()
    : image.webp({ delay: [100, 200], loop: 3, lossless: true }).toBuffer()
}
