/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { number32 } from '../testing/boxes.ts'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const execute = promisify(execFile)

const WRITTEN: Record<string, string> = {
  Title: 'a title',
  Location: 'a location',
  City: 'a city',
  Note: 'a note',
  'Creation Time': 'Fri, 1 May 2020 10:00:00 +0000',
}
const OF_ANOTHER_DEVICE = {
  Software: 'program-4711',
  Model: 'model-4711',
  'exif:Make': 'make-4711',
  LensSerialNumber: 'serial-4711',
}
const COMPRESSED = 'a compressed text'

async function pngWithTexts(more: Record<string, string> = {}): Promise<Buffer> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c04020' } })
  const png = await image.png().toBuffer()
  const chunk = (type: string, ...content: (Buffer | string)[]) => {
    const parts = [type, ...content].map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    )
    const body = Buffer.concat(parts)
    return Buffer.concat([number32(body.length - 4), body, number32(crc32(body))])
  }
  const texts = Object.entries({ ...WRITTEN, ...more, ...OF_ANOTHER_DEVICE }).map(([keyword, text]) =>
    chunk('tEXt', `${keyword}\0${text}`),
  )
  const compressed = chunk('zTXt', 'Remark\0\0', deflateSync(Buffer.from(COMPRESSED)))
  const time = chunk('tIME', Buffer.from([7, 208, 1, 2, 3, 4, 5]))
  // Text chunks can also follow the pixels.
  const end = png.length - 12
  return Buffer.concat([
    png.subarray(0, 33),
    ...texts,
    time,
    png.subarray(33, end),
    compressed,
    png.subarray(end),
  ])
}

async function readTexts(content: Buffer): Promise<Record<string, string>> {
  const { comments = [] } = await withFile(content, (path) => sharp(path).metadata())
  return Object.fromEntries(comments.map(({ keyword, text }) => [keyword, text]))
}

const DEVICE: ImageSpec = ['device_meta', { preset: 'iphone_16', metadata_mode: 'merge' }]

test.each<[string, [ImageSpec, ...ImageSpec[]]]>([
  ['alone', [DEVICE]],
  ['before a resize', [['edit'], DEVICE, ['resize', { width: 20 }]]],
])(
  'device_meta merge %s keeps the text of a PNG, except for text of devices and programs',
  async (_, specs) => {
    const { content } = await operateImage(await pngWithTexts(), specs)
    expect(await readTexts(content)).toMatchObject({ ...WRITTEN, Remark: COMPRESSED })
    expect(content.includes('4711')).toBe(false)
    expect(content.includes('tIME')).toBe(true)
  },
)

test('device_meta merge with a creation time removes the earlier times of a PNG', async () => {
  const params = { preset: 'iphone_16', metadata_mode: 'merge', creation_time: '2026-05-01T12:30:00' }
  const { content } = await operateImage(await pngWithTexts(), [['device_meta', params]])
  expect(await readTexts(content)).toMatchObject({ Title: WRITTEN.Title })
  expect(content.includes('Creation Time')).toBe(false)
  expect(content.includes('tIME')).toBe(false)
})

test('strip_gps before a resize removes only the location from the text of a PNG', async () => {
  const gps: ImageSpec = ['strip_meta', { metadata_mode: 'merge', strip_gps: true }]
  const { content } = await operateImage(await pngWithTexts(), [['edit'], gps, ['resize', { width: 20 }]])
  const texts = await readTexts(content)
  expect(texts).toMatchObject({ Title: WRITTEN.Title, Note: WRITTEN.Note, ...OF_ANOTHER_DEVICE })
  expect(Object.keys(texts)).not.toContain('City')
  expect(Object.keys(texts)).not.toContain('Location')
})

async function readTags(content: Buffer): Promise<Record<string, string>> {
  const { stdout } = await withFile(content, (path) => execute('exiftool', ['-j', '-G1', '-XMP:all', path]))
  return JSON.parse(stdout)[0]
}

const KEPT_AS_XMP = {
  'XMP-dc:Title': 'a title',
  'XMP-dc:Creator': 'an author',
  'XMP-dc:Description': 'a description',
  'XMP-dc:Rights': 'a right',
  'XMP-exif:UserComment': 'a comment',
  'XMP-xmp:CreateDate': '2020:05:01 10:00:00+00:00',
}

test.each<[string, ImageSpec]>([
  ['device_meta merge', DEVICE],
  ['strip_gps', ['strip_meta', { metadata_mode: 'merge', strip_gps: true }]],
])('%s keeps the text of a PNG that is converted to another format', async (_, spec) => {
  const written = {
    Author: 'an author',
    Description: 'a description',
    Copyright: 'a right',
    Comment: 'a comment',
  }
  const input = await pngWithTexts(written)
  for (const format of ['jpeg', 'webp', 'avif']) {
    const { content } = await operateImage(input, [spec, ['convert', { format }]])
    expect(await readTags(content), format).toMatchObject(KEPT_AS_XMP)
    expect(content.includes('a city')).toBe(false)
    if (spec === DEVICE) expect(content.includes('4711')).toBe(false)
  }
})
