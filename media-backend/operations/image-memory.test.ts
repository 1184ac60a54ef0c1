/** @module-tag extended */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { NODE_FLAGS } from '../runtime/node-flags.ts'
import { withFile } from '../testing/describe-image.ts'
import type { ImageSpec } from '../testing/operate-image.ts'

const execute = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('../testing/peak-memory.ts', import.meta.url))

/** An 80-megapixel panorama: its pixels take 240 MB of memory, plus 480 MB if its encoder buffers it. */
const [WIDTH, HEIGHT] = [16_000, 5000]
const WHOLE_MB = (WIDTH * HEIGHT * 3) / 1024 ** 2

let panorama: Buffer
beforeAll(async () => {
  const image = { width: WIDTH, height: HEIGHT, channels: 3, background: '#4a7' } as const
  panorama = await sharp({ create: image }).jpeg().toBuffer()
})

/** Measures the peak memory growth of a child process during these operations, in megabytes. */
function measurePeak(...specs: ImageSpec[]): Promise<number> {
  return withFile(panorama, async (path) => {
    const { stdout } = await execute(process.execPath, [...NODE_FLAGS, PROGRAM, path, JSON.stringify(specs)])
    return Number(stdout)
  })
}

test.each<ImageSpec[][]>([
  [[['resize', { width: 15_900 }]]],
  [[['convert', { format: 'jpeg' }]]],
  [[['convert', { format: 'png' }]]],
  [[['compress', { max_kb: 2000 }]]],
  [[['watermark', { text: 'Sample' }]]],
])('streams a panorama line by line with %j', async (specs) => {
  expect(await measurePeak(...specs)).toBeLessThan(WHOLE_MB)
})

test('buffers a rotated panorama only once, even before another pipeline', async () => {
  const turn: ImageSpec = ['transform', { rotate: 90 }]
  expect(await measurePeak(turn)).toBeLessThan(WHOLE_MB * 1.5)
  expect(await measurePeak(turn, ['resize', { width: 1000 }])).toBeLessThan(WHOLE_MB * 1.5)
})
