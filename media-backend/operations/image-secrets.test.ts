/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type Exiftool, startExiftool } from '../testing/exiftool.ts'
import { HEIC } from '../testing/heic-image.ts'
import { operateImage } from '../testing/operate-image.ts'
import {
  animation,
  plantedTiff,
  plantInGif,
  plantInHeif,
  plantInJpeg,
  plantInPng,
  plantInWebp,
  SECRET,
  SECRET_TAGS,
} from '../testing/planted.ts'

let exiftool: Exiftool
beforeAll(() => {
  exiftool = startExiftool()
})
afterAll(() => exiftool.close())

function tag(content: Buffer): Promise<Buffer> {
  return withFile(content, async (path) => {
    await exiftool.run('-m', '-overwrite_original', '-n', ...SECRET_TAGS, '-Orientation=6', path)
    return readFile(path)
  })
}

async function encoded(format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'): Promise<Buffer> {
  const path = await photo(96, 64)
  return withFile(path, (file) => sharp(file).withIccProfile('p3').toFormat(format).toBuffer())
}

/** Hashes every page or frame separately, because the pages of a TIFF can differ in size. */
function pixelsOf(content: Buffer): Promise<Buffer> {
  return withFile(content, async (path) => {
    const { pages = 1 } = await sharp(path).metadata()
    const all = Array.from({ length: pages }, (_, page) =>
      sharp(path, { page, failOn: 'error' }).raw().toBuffer(),
    )
    return Buffer.concat(await Promise.all(all))
  })
}

const INPUTS: [string, () => Promise<Buffer>][] = [
  ['JPEG', async () => plantInJpeg(await tag(await encoded('jpeg')))],
  ['PNG', async () => Buffer.concat([plantInPng(await tag(await encoded('png'))), Buffer.from(SECRET)])],
  ['WebP', async () => plantInWebp(await tag(await encoded('webp')))],
  ['animated WebP', async () => plantInWebp(await tag(await animation('webp')))],
  ['GIF', async () => plantInGif(await tag(await animation('gif')))],
  ['TIFF', async () => tag(await encoded('tiff'))],
  ['TIFF of two pages', async () => tag(plantedTiff())],
  ['AVIF', async () => plantInHeif(await tag(await encoded('avif')))],
]

test.each(INPUTS)(
  'strip_meta removes all planted data from %s and keeps every pixel',
  async (_name, make) => {
    const input = await make()
    expect(input.includes(SECRET)).toBe(true)
    const { content } = await operateImage(input, [['strip_meta']])
    expect(content.includes(SECRET)).toBe(false)
    expect(await withFile(content, (path) => exiftool.run('-a', '-u', '-G1', path))).not.toMatch(
      /GPS|XMP|IPTC/,
    )
    expect(await pixelsOf(content)).toEqual(await pixelsOf(input))
    const [before, after] = await Promise.all(
      [input, content].map((image) => withFile(image, (path) => sharp(path).metadata())),
    )
    for (const name of ['width', 'height', 'orientation', 'pages', 'delay', 'loop', 'density'] as const)
      expect(after?.[name], name).toEqual(before?.[name])
    expect(after?.icc?.length).toEqual(before?.icc?.length)
  },
)

test('strip_meta removes all planted data from HEIC and keeps its encoded image', async () => {
  const input = plantInHeif(await tag(HEIC))
  const { content } = await operateImage(input, [['strip_meta']])
  expect(content.includes(SECRET)).toBe(false)
  const shown = async (image: Buffer) => (await operateImage(image, [['convert', { format: 'png' }]])).content
  expect(await pixelsOf(await shown(content))).toEqual(await pixelsOf(await shown(input)))
  expect(await withFile(content, (path) => exiftool.run('-a', '-u', '-G1', path))).not.toMatch(/IFD0|XMP|GPS/)
})
