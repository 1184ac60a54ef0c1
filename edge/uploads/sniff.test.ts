import { expect, test } from 'vitest'
import { sniffKind, sniffType } from './sniff.ts'

const fileOf = (brand: string) => new TextEncoder().encode(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1miaf`)

test.each([
  ...['avif', 'avis', 'heic', 'heix', 'hevc', 'mif1', 'msf1'],
  ...['avci', 'jpeg', 'j2ki', 'vvic', 'evbi', 'mif2', 'mif3', 'heim', 'miaf'],
])('a file of the brand %s is an image', async (brand) => {
  expect(await sniffKind(fileOf(brand))).toBe('image')
})

test.each(['isom', 'mp42', 'qt  ', 'M4V ', 'avc1'])('a file of the brand %s is a video', async (brand) => {
  expect(await sniffKind(fileOf(brand))).toBe('video')
})

test('a short file has no type', async () => {
  expect(await sniffType(new Uint8Array([0, 0, 0, 24]))).toBeNull()
})

const AUDIO_STREAM = '409e69f84d5bcf11a8fd00805f5c442b'
const VIDEO_STREAM = 'c0ef19bc4d5bcf11a8fd00805f5c442b'

/** Creates the header of an ASF file (WMV, WMA) with the given kinds of streams. */
function asfOf(...streams: string[]): Uint8Array {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(30 + 72 * streams.length))
  const header = `3026b2758e66cf11a6d900aa0062ce6c${size.toString('hex')}010000000102`
  const objects = streams.map((stream) =>
    `9107dcb7b7a9cf118ee600c00c205365${'48000000'.padEnd(16, '0')}${stream}`.padEnd(144, '0'),
  )
  return Buffer.from(`${header}${objects.join('')}${'00'.repeat(100)}`, 'hex')
}

const MORE_DATA = ''

/** Creates the start of an Ogg file: a first page for each stream, then a data page. */
function oggOf(...streams: string[]): Uint8Array {
  const pages = [...streams, MORE_DATA].map((magic) => {
    const header = Buffer.alloc(28)
    header.write('OggS')
    header[5] = magic === MORE_DATA ? 0 : 2
    header[26] = 1
    header[27] = 60
    const content = Buffer.alloc(60)
    content.write(magic, 'latin1')
    return Buffer.concat([header, content])
  })
  return Buffer.concat(pages)
}

test.each([
  ['ASF with audio only', asfOf(AUDIO_STREAM)],
  ['Ogg with Opus only', oggOf('OpusHead')],
  ['Ogg with Vorbis and FLAC', oggOf('\x01vorbis', '\x7fFLAC')],
  ['Ogg with Vorbis and a skeleton track', oggOf('fishead\0', '\x01vorbis')],
])('%s is audio', async (_, head) => {
  expect(await sniffKind(head)).toBe('audio')
})

test.each([
  ['ASF with audio first', asfOf(AUDIO_STREAM, VIDEO_STREAM)],
  ['ASF with video first', asfOf(VIDEO_STREAM, AUDIO_STREAM)],
  ['ASF with a long header', asfOf(AUDIO_STREAM).subarray(0, 90)],
  ['Ogg with Opus first', oggOf('OpusHead', '\x80theora')],
  ['Ogg with Vorbis first', oggOf('\x01vorbis', '\x80theora')],
  ['Ogg with Theora first', oggOf('\x80theora', '\x01vorbis')],
  ['Ogg whose second page is beyond the sniffed bytes', oggOf('OpusHead').subarray(0, 88)],
  ['uncompressed video', new TextEncoder().encode('YUV4MPEG2 W8 H8 F25:1\nFRAME\n')],
])('the first stream of %s does not determine its kind', async (_, head) => {
  expect(await sniffType(head)).toBeNull()
})
