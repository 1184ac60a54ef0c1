/** @module-tag extended */

import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeGrayProfile } from '../steps/image/color-profile.ts'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'
import { pngChunk, withPngChunks } from '../testing/png.ts'

const LINEAR = { primaries: 1, transfer: 8 }
/** sRGB value for half of the maximum light, which is what middle gray means in a linear-light profile. */
const SHOWN = 188

/** Makes a gray PNG whose profile declares linear light. */
async function linearGray(space: 'b-w' | 'grey16'): Promise<Buffer> {
  const gray = sharp({ create: { width: 60, height: 40, channels: 3, background: '#808080' } })
  const png = await gray.toColorspace(space).png().toBuffer()
  const profile = Buffer.concat([Buffer.from('icc\0\0'), deflateSync(makeGrayProfile(LINEAR))])
  return withPngChunks(png, [pngChunk('iCCP', profile)])
}

const SPECS: ImageSpec[] = [
  ['convert', { format: 'png' }],
  ['convert', { format: 'webp' }],
  ['compress', {}],
  ['resize', { width: 30 }],
  ['social', { width: 64, height: 64, resize_mode: 'fit' }],
]

test.each(SPECS.flatMap((spec) => (['b-w', 'grey16'] as const).map((space) => ({ spec, space }))))(
  'applies the profile of a gray image in $space with $spec',
  async ({ spec, space }) => {
    const { content } = await operateImage(await linearGray(space), [spec])
    const { data, info } = await withFile(content, (path) =>
      sharp(path).removeAlpha().toColorspace('srgb').raw().toBuffer({ resolveWithObject: true }),
    )
    const middle = info.channels * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2))
    expect(Math.abs((data[middle] ?? 0) - SHOWN), `${data[middle]}`).toBeLessThanOrEqual(2)
  },
)

test('16-bit gray stays 16-bit gray when its profile is applied', async () => {
  const { content } = await operateImage(await linearGray('grey16'), [['convert', { format: 'png' }]])
  expect(await withFile(content, (path) => sharp(path).metadata())).toMatchObject({
    ...{ space: 'grey16', depth: 'ushort', hasProfile: false },
  })
})
