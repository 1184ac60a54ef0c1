import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxOf } from '../strip/boxes.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { withFile } from '../testing/look.ts'
import { operateImage } from '../testing/operate-image.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

/** An AVIF whose list of items stands directly before their places, with no references between items. */
async function avifWithItemsFirst(): Promise<Buffer> {
  const pixels = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
  const avif = await pixels.avif().toBuffer()
  const meta_at = avif.indexOf('meta') - 4
  const meta_end = meta_at + avif.readUInt32BE(meta_at)
  const children: Buffer[] = []
  for (let at = meta_at + 12; at < meta_end; at += children.at(-1)?.length ?? 0)
    children.push(avif.subarray(at, at + avif.readUInt32BE(at)))
  const typeOf = (box: Buffer) => box.toString('latin1', 4, 8)
  const order = ['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'idat']
  const sorted = children
    .filter((child) => order.includes(typeOf(child)))
    .toSorted((a, b) => order.indexOf(typeOf(a)) - order.indexOf(typeOf(b)))
  const left = children.filter((child) => !sorted.includes(child))
  // What is left out becomes free space: the data of the items does not move.
  const free = left.map((child) => boxOf('free', Buffer.alloc(child.length - 8)))
  const body = Buffer.concat([avif.subarray(meta_at + 8, meta_at + 12), ...sorted, ...free])
  return Buffer.concat([avif.subarray(0, meta_at), boxOf('meta', body), avif.subarray(meta_end)])
}

function readPixels(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path).raw().toBuffer())
}

test.each(['set', 'merge'])(
  'device_meta writes EXIF into an AVIF without item references every time, metadata_mode %s',
  async (metadata_mode) => {
    const input = await avifWithItemsFirst()
    for (let run = 0; run < 8; run += 1) {
      const { content } = await operateImage(input, [['device_meta', { preset: 'iphone_16', metadata_mode }]])
      const model = await withFile(content, (path) => exiftool.run('-s3', '-IFD0:Model', path))
      expect(model).toBe('iPhone 16')
      expect(await readPixels(content)).toEqual(await readPixels(input))
    }
  },
)
