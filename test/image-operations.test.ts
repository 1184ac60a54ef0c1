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

/** A picture with detail everywhere, so that quality costs bytes; its left half is darker. */
function makePicture(): Sharp {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let index = 0, state = 12_345; index < pixels.length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    const column = Math.floor(index / 3) % WIDTH
    pixels[index] = (column < WIDTH / 2 ? 20 : 150) + (state >> 16) / 400
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
}

const PICTURES = {
  'plain.jpg': () => makePicture().jpeg({ quality: 95 }),
  // Lies on its side and says so, as cameras write it.
  'turned.jpg': () => makePicture().withMetadata({ orientation: 6 }).jpeg(),
  'clear.png': () =>
    sharp({
      create: { width: 200, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    }).png(),
}

async function process(
  operation: 'resize' | 'convert',
  name: keyof typeof PICTURES,
  params: Record<string, unknown>,
) {
  const input = join(folder, name)
  await PICTURES[name]().toFile(input)
  const { client } = await openAccount(system.api_url)
  const finished = await runToResult(client, `image/${operation}`, await upload(client, input), params)
  const file = await saveResult(client, finished, folder)
  const { format, width, height, orientation } = await sharp(file).metadata()
  expect(finished.result.body).toMatchObject({ width, height })
  return { ...finished, file, seen: { format, width, height, orientation } }
}

const RESIZED: [string, keyof typeof PICTURES, Record<string, unknown>, [number, number]][] = [
  ['fit within both sides', 'plain.jpg', { width: 200, height: 200 }, [200, 150]],
  ['one side, the other follows', 'plain.jpg', { height: 60 }, [80, 60]],
  ['fill and crop', 'plain.jpg', { width: 100, height: 100, resize_mode: 'fill' }, [100, 100]],
  ['exact', 'plain.jpg', { width: 100, height: 100, resize_mode: 'exact' }, [100, 100]],
  ['by percent', 'plain.jpg', { resize_mode: 'scale', percent: 50 }, [200, 150]],
  ['larger than before', 'plain.jpg', { width: 800 }, [800, 600]],
  ['upright where the camera lay on its side', 'turned.jpg', { width: 150 }, [150, 200]],
]

test.each(RESIZED)('resize: %s', async (_name, picture, params, [width, height]) => {
  const { seen } = await process('resize', picture, params)
  expect(seen).toMatchObject({ format: 'jpeg', width, height })
  expect(seen.orientation ?? 1).toBe(1)
})

test('resize keeps the format and what is transparent', async () => {
  const { file, seen } = await process('resize', 'clear.png', { width: 50 })
  expect(seen).toMatchObject({ format: 'png', width: 50, height: 25 })
  expect((await sharp(file).stats()).isOpaque).toBe(false)
})

const FORMATS: [string, string, string][] = [
  ['webp', 'webp', 'image/webp'],
  ['avif', 'heif', 'image/avif'],
  ['jpeg', 'jpeg', 'image/jpeg'],
  ['png', 'png', 'image/png'],
]

test.each(FORMATS)('convert to %s', async (format, decoder, content_type) => {
  const { seen, result } = await process('convert', 'plain.jpg', { format })
  expect(seen).toMatchObject({ format: decoder, width: WIDTH, height: HEIGHT })
  expect(result).toMatchObject({ content_type, body: { format } })
})

test.each(['jpeg', 'webp', 'avif'])(
  'convert to %s within max_kb uses the room it is given',
  async (format) => {
    const { file, result } = await process('convert', 'plain.jpg', { format, max_kb: 20 })
    const { size } = await stat(file)
    expect(size).toBeLessThanOrEqual(20 * 1024)
    expect(size).toBeGreaterThan(14 * 1024)
    expect(result.body.quality).toBeGreaterThan(0)
  },
)

test('convert to JPEG shows white where it was transparent', async () => {
  const { file } = await process('convert', 'clear.png', { format: 'jpeg' })
  const { channels } = await sharp(file).stats()
  expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
})
