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

/** The header of an ASF file (WMV, WMA) whose first stream is of this kind. */
function asfOf(stream: string): Uint8Array {
  const header = `3026b2758e66cf11a6d900aa0062ce6c${'68000000'.padEnd(16, '0')}010000000102`
  const object = `9107dcb7b7a9cf118ee600c00c205365${'48000000'.padEnd(16, '0')}${stream}`
  const bytes = `${header}${object}`.padEnd(400, '0').match(/../g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16))
}

const oggOf = (first: string) =>
  new TextEncoder().encode(`OggS\0\x02${'\0'.repeat(22)}${first}${'\0'.repeat(200)}`)

test.each([
  ['ASF with audio first', asfOf(AUDIO_STREAM)],
  ['ASF with video first', asfOf(VIDEO_STREAM)],
  ['Ogg with Opus first', oggOf('OpusHead')],
  ['Ogg with Vorbis first', oggOf('\x01vorbis')],
  ['Ogg with Theora first', oggOf('\x80theora')],
  ['uncompressed video', new TextEncoder().encode('YUV4MPEG2 W8 H8 F25:1\nFRAME\n')],
])('the first stream of %s does not decide its kind', async (_, head) => {
  expect(await sniffType(head)).toBeNull()
})
