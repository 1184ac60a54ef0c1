import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, inject, test } from 'vitest'
import { openAccount } from './support/accounts.ts'
import { makeTestFolder } from './support/folder.ts'
import { runToResult, saveResult, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()

const WIDTH = 400
const HEIGHT = 300

/** Creates a detailed image whose file size depends on the quality. Its left half is darker. */
function makeImage(): Sharp {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let index = 0, state = 12_345; index < pixels.length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    const column = Math.floor(index / 3) % WIDTH
    pixels[index] = (column < WIDTH / 2 ? 20 : 150) + (state >> 16) / 400
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
}

const IMAGES = {
  'plain.jpg': () => makeImage().jpeg({ quality: 95 }),
  // Stored rotated, with an EXIF orientation, as cameras do.
  'rotated.jpg': () => makeImage().withMetadata({ orientation: 6 }).jpeg(),
  'transparent.png': () =>
    sharp({
      create: { width: 200, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    }).png(),
}

async function process(
  operation: 'resize' | 'convert',
  name: keyof typeof IMAGES,
  params: Record<string, unknown>,
) {
  const input = join(folder, name)
  await IMAGES[name]().toFile(input)
  const { client } = await openAccount(system.api_url)
  const finished = await runToResult(client, `image/${operation}`, await upload(client, input), params)
  const file = await saveResult(client, finished, folder)
  const { format, width, height, orientation } = await sharp(file).metadata()
  expect(finished.result.body).toMatchObject({ width, height })
  return { ...finished, file, metadata: { format, width, height, orientation } }
}

const RESIZED: [string, keyof typeof IMAGES, Record<string, unknown>, [number, number]][] = [
  ['fits within both sides', 'plain.jpg', { width: 200, height: 200 }, [200, 150]],
  ['derives the missing side', 'plain.jpg', { height: 60 }, [80, 60]],
  ['fills and crops', 'plain.jpg', { width: 100, height: 100, resize_mode: 'fill' }, [100, 100]],
  ['uses exact dimensions', 'plain.jpg', { width: 100, height: 100, resize_mode: 'exact' }, [100, 100]],
  ['scales by percent', 'plain.jpg', { resize_mode: 'scale', percent: 50 }, [200, 150]],
  ['enlarges', 'plain.jpg', { width: 800 }, [800, 600]],
  ['applies the EXIF orientation', 'rotated.jpg', { width: 150 }, [150, 200]],
]

test.each(RESIZED)('resize %s', async (_name, image, params, [width, height]) => {
  const { metadata } = await process('resize', image, params)
  expect(metadata).toMatchObject({ format: 'jpeg', width, height })
  expect(metadata.orientation ?? 1).toBe(1)
})

test('resize keeps the format and transparency', async () => {
  const { file, metadata } = await process('resize', 'transparent.png', { width: 50 })
  expect(metadata).toMatchObject({ format: 'png', width: 50, height: 25 })
  expect((await sharp(file).stats()).isOpaque).toBe(false)
})

const FORMATS: [string, string, string][] = [
  ['webp', 'webp', 'image/webp'],
  ['avif', 'heif', 'image/avif'],
  ['jpeg', 'jpeg', 'image/jpeg'],
  ['png', 'png', 'image/png'],
]

test.each(FORMATS)('convert to %s', async (format, decoder, content_type) => {
  const { metadata, result } = await process('convert', 'plain.jpg', { format })
  expect(metadata).toMatchObject({ format: decoder, width: WIDTH, height: HEIGHT })
  expect(result).toMatchObject({ content_type, body: { format } })
})

test.each(['jpeg', 'webp', 'avif'])('convert to %s within max_kb uses most of the limit', async (format) => {
  const { file, result } = await process('convert', 'plain.jpg', { format, max_kb: 20 })
  const { size } = await stat(file)
  expect(size).toBeLessThanOrEqual(20 * 1024)
  expect(size).toBeGreaterThan(14 * 1024)
  expect(result.body.quality).toBeGreaterThan(0)
})

test('convert to JPEG replaces transparency with white', async () => {
  const { file } = await process('convert', 'transparent.png', { format: 'jpeg' })
  const { channels } = await sharp(file).stats()
  expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
})
