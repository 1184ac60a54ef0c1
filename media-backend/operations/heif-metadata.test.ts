/** @module-tag extended */

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxOf } from '../strip/boxes.ts'
import { withFile } from '../testing/describe-image.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { operateImage } from '../testing/operate-image.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

function makeAvif(): Promise<Buffer> {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
  return image
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 0/1' } })
    .avif()
    .toBuffer()
}

interface Meta {
  start: number
  end: number
  children: Map<string, Buffer>
}

function readMeta(file: Buffer): Meta {
  const start = file.indexOf('meta') - 4
  const end = start + file.readUInt32BE(start)
  const children = new Map<string, Buffer>()
  for (let at = start + 12; at < end; ) {
    const box = file.subarray(at, at + file.readUInt32BE(at))
    children.set(box.toString('latin1', 4, 8), box)
    at += box.length
  }
  return { start, end, children }
}

/** Writes the boxes in the given order. All other boxes become free space, so no data moves. */
function sortMeta(file: Buffer, types: readonly string[]): Buffer {
  const { start, end, children } = readMeta(file)
  const kept = types.flatMap((type) => children.get(type) ?? [])
  const left = [...children.values()].filter((child) => !kept.includes(child))
  const free = left.map((child) => boxOf('free', Buffer.alloc(child.length - 8)))
  const meta = boxOf('meta', Buffer.alloc(4), ...kept, ...free)
  return Buffer.concat([file.subarray(0, start), meta, file.subarray(end)])
}

/** Moves the data of all items into `meta`, the last box. Its size field then means "to the end of the file". */
function moveItemsIntoMeta(file: Buffer): Buffer {
  const { start, children } = readMeta(file)
  const data = file.subarray(file.indexOf('mdat') + 4)
  const data_at = file.indexOf('mdat') + 4
  const old = children.get('iloc')?.subarray(8) ?? Buffer.alloc(0)
  const rows: Buffer[] = []
  // Version 0 has one extent per item and four-byte numbers, including the base; version 1 adds a construction
  // method.
  for (let at = 8; at < old.length; at += 18) {
    const row = Buffer.alloc(20)
    old.copy(row, 0, at, at + 2)
    row.writeUInt16BE(1, 2)
    old.copy(row, 4, at + 2, at + 18)
    row.writeUInt32BE(row.readUInt32BE(6) - data_at, 6)
    rows.push(row)
  }
  const head = Buffer.from([1, 0, 0, 0, 0x44, 0x40, ...old.subarray(6, 8)])
  children.set('iloc', boxOf('iloc', head, ...rows))
  const meta = boxOf('meta', Buffer.alloc(4), ...children.values(), boxOf('idat', data))
  meta.writeUInt32BE(0)
  return Buffer.concat([file.subarray(0, start), meta])
}

function readPixels(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path).raw().toBuffer())
}

async function readTag(content: Buffer, name: string): Promise<string> {
  return withFile(content, (path) => exiftool.run('-s3', `-${name}`, path))
}

test.each(['set', 'merge'])(
  'device_meta writes EXIF into an AVIF without item references (metadata_mode %s)',
  async (metadata_mode) => {
    const input = sortMeta(await makeAvif(), ['hdlr', 'pitm', 'iinf', 'iloc', 'iprp'])
    for (let run = 0; run < 8; run += 1) {
      const { content } = await operateImage(input, [['device_meta', { preset: 'iphone_16', metadata_mode }]])
      expect(await readTag(content, 'IFD0:Model')).toBe('iPhone 16')
      expect(await readPixels(content)).toEqual(await readPixels(input))
    }
  },
)

test('device_meta writes EXIF into an AVIF whose data is all in the metadata box', async () => {
  const input = moveItemsIntoMeta(await makeAvif())
  const { content } = await operateImage(input, [['device_meta', { preset: 'iphone_16' }]])
  expect(await readTag(content, 'IFD0:Model')).toBe('iPhone 16')
  expect(await readPixels(content)).toEqual(await readPixels(input))
})

test('strip_meta refuses to remove a location that exiftool does not find', async () => {
  const input = moveItemsIntoMeta(await makeAvif())
  const params = { metadata_mode: 'merge', strip_gps: true }
  const refused = operateImage(input, [['strip_meta', params]]).then(() => 'done', String)
  expect(await refused).toMatch(/cannot be changed/)
  const { content } = await operateImage(input, [['strip_meta']])
  expect(content.includes('Exif')).toBe(false)
})
