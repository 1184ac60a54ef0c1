import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { operateImage } from '../testing/operate-image.ts'

const execute = promisify(execFile)

/** Makes a JPEG with a Display P3 profile. */
const wideJpeg = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 220, g: 60, b: 90 } } })
    .withIccProfile('p3')
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()

/** Appends two bytes to the ICC profile of a JPEG, as Samsung phones did in 2022. */
function padProfile(jpeg: Buffer): Buffer {
  const segment = jpeg.indexOf('ICC_PROFILE') - 2
  const end = segment + jpeg.readUInt16BE(segment)
  const padded = Buffer.concat([jpeg.subarray(0, end), Buffer.alloc(2), jpeg.subarray(end)])
  padded.writeUInt16BE(end - segment + 2, segment)
  return padded
}

const encodeHeic = (jpeg: Buffer): Promise<Buffer> =>
  withFile('', async (path) => {
    await writeFile(`${path}.jpg`, jpeg)
    await execute('heif-enc', ['-q', '98', '-o', `${path}.heic`, `${path}.jpg`])
    return readFile(`${path}.heic`)
  })

async function colorOf(content: Buffer): Promise<number[]> {
  const crop = { left: 32, top: 32, width: 1, height: 1 }
  const pixel = await withFile(content, (path) =>
    sharp(path).toColorspace('srgb').removeAlpha().extract(crop).raw().toBuffer(),
  )
  return [...pixel]
}

test.each([
  ['of the declared length', (jpeg: Buffer) => jpeg],
  ['with trailing bytes', padProfile],
])('converts the colors of a HEIC by its profile %s', async (_, change) => {
  const jpeg = await wideJpeg()
  const heic = await encodeHeic(change(jpeg))
  expect(heic.includes('colrprof')).toBe(true)
  const { content } = await operateImage(heic, [['convert', { format: 'png' }]])
  const [shown, expected] = [await colorOf(content), await colorOf(jpeg)]
  for (const [channel, level] of expected.entries())
    expect(Math.abs((shown[channel] ?? 999) - level)).toBeLessThan(4)
})
