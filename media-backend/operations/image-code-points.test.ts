/** @module-tag extended */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { addColor } from '../testing/heif.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const execute = promisify(execFile)

type Color = [red: number, green: number, blue: number]

interface Coding {
  name: string
  primaries: number
  transfer: number
  /** The encoded channel values. */
  coded: Color
  /** The color that Chromium displays on an sRGB screen. HDR is tone-mapped in the same way as for videos. */
  shown: Color
}

const CODINGS: Coding[] = [
  { name: 'sRGB', primaries: 1, transfer: 13, coded: [200, 100, 50], shown: [200, 100, 50] },
  { name: 'Display P3', primaries: 12, transfer: 13, coded: [200, 100, 50], shown: [215, 93, 31] },
  {
    name: 'Display P3 with a video transfer function',
    primaries: 12,
    transfer: 1,
    coded: [200, 100, 50],
    shown: [215, 93, 31],
  },
  { name: 'BT.2020 SDR', primaries: 9, transfer: 1, coded: [150, 120, 100], shown: [167, 116, 96] },
  { name: 'linear light', primaries: 1, transfer: 8, coded: [128, 64, 26], shown: [188, 137, 90] },
  { name: 'gamma 2.2', primaries: 1, transfer: 4, coded: [128, 64, 26], shown: [129, 62, 19] },
  { name: 'PQ gray of 100 nits', primaries: 9, transfer: 16, coded: [130, 130, 130], shown: [181, 181, 181] },
  // The same color in three different sets of primaries.
  { name: 'PQ red in BT.709', primaries: 1, transfer: 16, coded: [145, 95, 67], shown: [210, 96, 49] },
  { name: 'PQ red in P3', primaries: 12, transfer: 16, coded: [141, 100, 77], shown: [211, 97, 48] },
  { name: 'PQ red in BT.2020', primaries: 9, transfer: 16, coded: [135, 104, 78], shown: [211, 98, 49] },
  { name: 'HLG gray of 50 %', primaries: 9, transfer: 18, coded: [128, 128, 128], shown: [137, 137, 137] },
]

const SIZE = { width: 64, height: 64 }

function patch([r, g, b]: Color) {
  return sharp({ create: { ...SIZE, channels: 3, background: { r, g, b } } })
}

/** Makes an AVIF with the given code points by replacing the sRGB code points that sharp writes. */
async function codedAvif({ primaries, transfer, coded }: Coding): Promise<Buffer> {
  const file = await patch(coded).avif({ lossless: true }).toBuffer()
  const at = file.indexOf('colrnclx')
  file.writeUInt16BE(primaries, at + 8)
  file.writeUInt16BE(transfer, at + 10)
  return file
}

async function codedPng({ primaries, transfer, coded }: Coding): Promise<Buffer> {
  const file = await patch(coded).png().toBuffer()
  const chunk = Buffer.concat([Buffer.from('cICP'), Buffer.from([primaries, transfer, 0, 1])])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(4)
  checksum.writeUInt32BE(crc32(chunk))
  return Buffer.concat([file.subarray(0, 33), length, chunk, checksum, file.subarray(33)])
}

async function codedHeic(coding: Coding): Promise<Buffer> {
  return withFile('', async (path) => {
    await patch(coding.coded).png().toFile(`${path}.png`)
    await execute('heif-enc', ['-q', '95', '-o', `${path}.heic`, `${path}.png`])
    return addColor(await readFile(`${path}.heic`), coding)
  })
}

const SOURCES = { AVIF: codedAvif, PNG: codedPng, HEIC: codedHeic }

async function colorOf(content: Buffer): Promise<number[]> {
  const crop = { left: 30, top: 30, width: 1, height: 1 }
  const pixel = await withFile(content, (path) =>
    sharp(path).extract(crop).removeAlpha().toColorspace('srgb').raw().toBuffer(),
  )
  return [...pixel]
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((level, channel) => Math.abs(level - (other[channel] ?? -1000))))
}

const CASES = Object.entries(SOURCES).flatMap(([format, make]) =>
  CODINGS.map((coding) => ({ format, make, coding, name: coding.name })),
)

test.each(CASES)('$name in $format keeps the displayed colors', async ({ make, coding }) => {
  const { content } = await operateImage(await make(coding), [['convert', { format: 'png' }]])
  const color = await colorOf(content)
  expect(distance(color, coding.shown), `${color}`).toBeLessThanOrEqual(4)
})

const P3 = CODINGS[1] as Coding
const SPECS: ImageSpec[] = [
  ['convert', { format: 'jpeg', quality: 95 }],
  ['compress', { format: 'webp', quality: 95 }],
  ['resize', { width: 62 }],
  ['web_optimize', {}],
  ['social', { width: 64, height: 64, resize_mode: 'fit', bg_color: '#ffffff' }],
  ['device_meta', { preset: 'iphone_16' }],
]

test.each(SPECS)('%s of a P3 AVIF keeps the displayed colors', async (...spec) => {
  const { content } = await operateImage(await codedAvif(P3), [spec as ImageSpec])
  // device_meta alone changes no pixels, so the file keeps its code points.
  const shown = spec[0] === 'device_meta' ? P3.coded : P3.shown
  expect(distance(await colorOf(content), shown)).toBeLessThanOrEqual(4)
  expect(content.indexOf('colrnclx\0\x0c') > 0).toBe(spec[0] === 'device_meta')
})

test('keeps the bit depth of a 10-bit source as PNG', async () => {
  const file = await patch([200, 100, 50]).avif({ lossless: true, bitdepth: 10 }).toBuffer()
  file.writeUInt16BE(12, file.indexOf('colrnclx') + 8)
  const { content, facts } = await operateImage(file, [['convert', { format: 'png' }]])
  expect(facts.bits_per_channel).toBe(16)
  const color = await colorOf(content)
  expect(distance(color, P3.shown), `${color}`).toBeLessThanOrEqual(3)
})

test.each([
  ['truncated inside its index', (file: Buffer) => file.subarray(0, 120)],
  ['that has a box without a size', (file: Buffer) => Buffer.concat([file, Buffer.alloc(8)])],
])('refuses or reads an AVIF %s, without an internal error', async (_, change) => {
  const file = change(await codedAvif(P3))
  const outcome = await operateImage(file, [['convert', { format: 'png' }]]).catch(
    (error: Error) => error.message,
  )
  expect(typeof outcome === 'string' ? outcome : outcome.file).toMatch(/truncated or corrupt|\.png/)
})
