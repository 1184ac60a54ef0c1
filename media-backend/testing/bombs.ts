import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { box, element, intoSegment, number32, replaceBoxes } from './boxes.ts'
import { makeClip } from './clips.ts'
import { smallClip } from './hostile-clips.ts'
import { pngChunk } from './png.ts'

/** Makes small files that declare, or decompress to, more than a machine can process. */

const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

/** Makes a PNG that declares any size but contains only a header and a little data. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.concat([number32(width, height), Buffer.from([8, 2, 0, 0, 0])])
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const data = deflateSync(Buffer.alloc(100_000))
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const GIF_FRAME = Buffer.from('21f90404010000002c00000000010001000002024401 00'.replace(' ', ''), 'hex')

export function gifOfFrames(count: number): Buffer {
  const head = Buffer.from('47494638396101000100800000ff0000000000', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(count).fill(GIF_FRAME), Buffer.from(';')])
}

export function hugeGif(width: number, height: number): Buffer {
  const gif = gifOfFrames(1)
  for (const at of [6, gif.indexOf(0x2c, 19) + 5]) {
    gif.writeUInt16LE(width, at)
    gif.writeUInt16LE(height, at + 2)
  }
  return gif
}

/** Makes a small WebP whose header declares a huge canvas. Each side is stored in three bytes, minus one. */
export async function hugeWebp(side: number): Promise<Buffer> {
  const frame = { create: { width: 8, height: 8, channels: 4, background: '#08f8' } } as const
  const webp = await sharp(frame).webp({ quality: 10 }).toBuffer()
  const at = webp.indexOf('VP8X') + 12
  if (at < 12) throw new Error('this WebP has no extended header')
  webp.writeUIntLE(side - 1, at, 3)
  webp.writeUIntLE(side - 1, at + 3, 3)
  return webp
}

export async function hugeAvif(side: number): Promise<Buffer> {
  const frame = { create: { width: 64, height: 64, channels: 3, background: '#08f' } } as const
  const avif = await sharp(frame).avif().toBuffer()
  number32(side, side).copy(avif, avif.indexOf('ispe') + 8)
  return avif
}

/** Makes a small JPEG whose frame header declares a huge size. */
export async function hugeJpeg(side: number): Promise<Buffer> {
  const frame = { create: { width: 64, height: 64, channels: 3, background: '#08f' } } as const
  const jpeg = await sharp(frame).jpeg().toBuffer()
  const at = jpeg.indexOf(Buffer.from('ffc0', 'hex')) + 5
  jpeg.writeUInt16BE(side, at)
  jpeg.writeUInt16BE(side, at + 2)
  return jpeg
}

/** Makes a PSD that consists of its header. */
export function hugePsd(side: number): Buffer {
  const header = Buffer.concat([Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03', 'latin1'), number32(side, side)])
  return Buffer.concat([header, Buffer.from([0, 8, 0, 3]), Buffer.alloc(200)])
}

/** Makes a bitmap of a few pixels that declares a huge size. */
export function hugeBmp(side: number): Buffer {
  const bmp = Buffer.alloc(1054)
  bmp.write('BM', 'latin1')
  for (const [at, value] of [
    [2, bmp.length],
    [10, 54],
    [14, 40],
    [18, side],
    [22, side],
  ] as const)
    bmp.writeUInt32LE(value, at)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  return bmp
}

/** Makes the main header of a JPEG 2000 codestream of one huge tile. */
export function hugeJp2(side: number): Buffer {
  const size = Buffer.concat([number32(side, side, 0, 0, side, side, 0, 0), Buffer.from([0, 1, 7, 1, 1])])
  const start = Buffer.from('ff4fff5100290000', 'hex')
  const coding = Buffer.from('ff52000c00000001000104040001', 'hex')
  const quantization = Buffer.from('ff5c00074040484850', 'hex')
  return Buffer.concat([
    start,
    size,
    coding,
    quantization,
    Buffer.from('ff90000a0000000000000001ff93ffd9', 'hex'),
  ])
}

const svgOf = (side: number, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${content}</svg>`)

export function hugeSvg(side: number): Buffer {
  return svgOf(side, '<rect width="10" height="10"/>')
}

/** Makes an SVG that draws a square 10 times to the power of `depth`. */
export function nestedSvg(depth: number): Buffer {
  const groups = Array.from({ length: depth }, (_, level) => {
    const inner = level === 0 ? '<rect width="1" height="1"/>' : `<use href="#g${level - 1}"/>`.repeat(10)
    return `<g id="g${level}">${inner}</g>`
  })
  return svgOf(100, `<defs>${groups.join('')}</defs><use href="#g${depth - 1}"/>`)
}

/** Makes an SVG that filters a large area many times. */
export function filteredSvg(side: number): Buffer {
  const filters = '<feTurbulence numOctaves="200" baseFrequency="0.9"/><feGaussianBlur stdDeviation="500"/>'
  const area = '<rect width="100%" height="100%" filter="url(#f)"/>'
  return svgOf(side, `<filter id="f">${filters.repeat(10)}</filter>${area}`)
}

/** Makes a video with one black frame, compressed to almost nothing. */
export function hugeFrame(side: number): Promise<Buffer> {
  const videoInput = ['-f', 'lavfi', '-i', `color=s=${side}x${side}:r=1:d=1,format=gray`]
  return makeClip(`huge-${side}.mkv`, [...videoInput, '-c:v', 'png'])
}

export async function fastVideo(): Promise<Buffer> {
  const clip = await smallClip('fast.mp4', [...H264, '-video_track_timescale', '1000000'])
  return replaceBoxes(clip, 'stts', (body) => box('stts', body.subarray(0, 12), number32(1)))
}

/** Makes a video that declares a long duration in the headers and in its ten frames, from which ffmpeg 7 reads it. */
export async function longVideo(seconds: number): Promise<Buffer> {
  const clip = await smallClip('long.mp4', H264)
  // Builds a version 1 header with times in seconds.
  const header = (body: Buffer) =>
    Buffer.concat([number32(0x01000000), Buffer.alloc(16), number32(1), long(seconds), body.subarray(20)])
  const headed = ['mvhd', 'mdhd'].reduce(
    (file, type) => replaceBoxes(file, type, (body) => box(type, header(body))),
    clip,
  )
  // An edit list would limit the playback, so it is blanked.
  const whole = replaceBoxes(headed, 'edts', (body) => box('free', body))
  return replaceBoxes(whole, 'stts', (body) =>
    box('stts', body.subarray(0, 12), number32(seconds / 10), body.subarray(16)),
  )
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

export async function manyTracks(count: number): Promise<Buffer> {
  const clip = await smallClip('tracks.mp4', H264)
  return replaceBoxes(clip, 'trak', (body) => Buffer.concat(Array<Buffer>(count / 2).fill(box('trak', body))))
}

export async function manyChapters(count: number): Promise<Buffer> {
  const clip = await smallClip('chapters.mkv', H264)
  const atoms = Array.from({ length: count }, (_, index) =>
    element(0xb6, element(0x73c4, number32(index + 1)), element(0x91, number32(index))),
  )
  return intoSegment(clip, element(0x1043a770, element(0x45b9, Buffer.concat(atoms))))
}

/** Makes a file with deeply nested boxes. */
export function deepBoxes(depth: number): Buffer {
  const names = ['moov', 'trak', 'mdia', 'minf']
  const boxes = Array.from({ length: depth }, (_, index) =>
    Buffer.concat([number32(8 * (depth - index)), Buffer.from(names[Math.min(index, 3)] ?? '')]),
  )
  return Buffer.concat([box('ftyp', 'isom', number32(0), 'isom'), ...boxes])
}

/** Makes a TIFF of one pixel, which all its pages share, with three tags that no decoder needs. */
export function tiffOfPages(count: number): Buffer {
  const entries = Object.entries({
    ...{ 256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 1, 279: 1 },
    ...{ 305: 1, 306: 1, 315: 1 },
  })
  const [start, page_bytes] = [10, 2 + entries.length * 12 + 4]
  const file = Buffer.alloc(start + count * page_bytes)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(start, 4)
  for (let page = 0; page < count; page += 1) {
    const at = start + page * page_bytes
    file.writeUInt16LE(entries.length, at)
    for (const [index, [tag, value]] of entries.entries()) {
      const entry = at + 2 + index * 12
      file.writeUInt16LE(Number(tag), entry)
      file.writeUInt16LE(4, entry + 2)
      file.writeUInt32LE(1, entry + 4)
      file.writeUInt32LE(value, entry + 8)
    }
    const next = page === count - 1 ? 0 : at + page_bytes
    file.writeUInt32LE(next, at + page_bytes - 4)
  }
  return file
}

export async function hugeTags(bytes: number): Promise<Buffer> {
  const clip = await smallClip('tags.mkv', H264)
  const tag = element(0x67c8, element(0x45a3, 'COMMENT'), element(0x4487, Buffer.alloc(bytes, 'x')))
  return intoSegment(clip, element(0x1254c367, element(0x7373, tag)))
}
