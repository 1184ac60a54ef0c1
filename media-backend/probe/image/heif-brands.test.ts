import { expect, test } from 'vitest'
import { withFile } from '../../testing/describe-image.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { imageFacts } from './image.ts'

/** Builds the first box of a file that has these brands. */
function fileOf(...brands: string[]): Buffer {
  const body = Buffer.from(`ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([length, body, Buffer.alloc(64)])
}

test.each([
  [['avci', 'mif1', 'avci', 'miaf'], /^HEIF images encoded as H\.264 are not supported\./],
  [['jpeg', 'mif1', 'jpeg', 'miaf'], /encoded as JPEG are/],
  [['j2ki', 'mif1', 'j2ki', 'miaf'], /JPEG 2000/],
  [['mif1', 'mif1', 'vvic', 'miaf'], /H\.266/],
  [['mif1', 'mif1', 'mif2', 'unif'], /encoded as unci are/],
  [['mif3'], /short form/],
  [['hevc', 'msf1', 'hevc'], /image sequences/],
])('the error names an image of the brands %j', async (brands, sentence) => {
  const reading = withFile(fileOf(...brands), (path) => imageFacts(path, environment))
  await expect(reading).rejects.toMatchObject({
    error_code: 'input_unreadable',
    message: expect.stringMatching(sentence),
  })
})

test('reports a corrupt image of a supported brand as corrupt', async () => {
  const reading = withFile(fileOf('heic', 'mif1', 'heic'), (path) => imageFacts(path, environment))
  await expect(reading).rejects.toMatchObject({ message: expect.stringContaining('corrupt') })
})
