import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeClip, once } from '../../testing/clips.ts'
import { withFile } from '../../testing/describe-image.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { isTruncatedGif } from './gif-blocks.ts'
import { imageFacts } from './image.ts'

const animation = once(() =>
  makeClip('ten.gif', ['-f', 'lavfi', '-i', 'nullsrc=s=64x48:r=10:d=1,geq=random(1)*255:128:128']),
)

test('accepts a complete GIF with or without a trailer, and with trailing bytes', async () => {
  const gif = await animation()
  for (const content of [gif, gif.subarray(0, -1), Buffer.concat([gif, Buffer.from('more')])])
    expect(await withFile(content, isTruncatedGif)).toBe(false)
})

test('refuses a GIF that ends inside a frame', async () => {
  const gif = await animation()
  for (const fraction of [0.3, 0.5, 0.7, 0.9]) {
    const reading = withFile(gif.subarray(0, Math.floor(gif.length * fraction)), (path) =>
      imageFacts(path, environment),
    )
    await expect(reading).rejects.toMatchObject({
      error_code: 'input_unreadable',
      message: expect.stringContaining('truncated'),
    })
  }
})

test('reads a GIF of consecutive blocks to its end', async () => {
  const header = Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0', 'latin1')
  const comment = Buffer.from('21fe0361626300', 'hex')
  const content = Buffer.concat([header, ...Array<Buffer>(50_000).fill(comment)])
  await withFile(content, async (path) => {
    expect(await isTruncatedGif(path)).toBe(false)
    await writeFile(path, content.subarray(0, -1))
    expect(await isTruncatedGif(path)).toBe(true)
  })
})
