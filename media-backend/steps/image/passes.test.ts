import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import type { Space } from '../../runtime/sharp.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { choosePassage, passOn } from './passes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-pass-'))
})
afterEach(() => rm(folder, { recursive: true }))

const enlarge: ImageAction = { action: 'resize', width: 9000, height: 9000, fit: 'fill' }

test.each([
  ['a photograph', 4000, 3000, [], 'memory'],
  ['a panorama', 20_000, 10_000, [], 'file'],
  ['a photograph enlarged to that size', 4000, 3000, [enlarge], 'file'],
] as const)('keeps %s of %i x %i in %s', (_name, width, height, actions, passage) => {
  expect(choosePassage({ width, height }, actions)).toBe(passage)
})

test.each<[Space, 1 | 2 | 3 | 4]>([
  ['srgb', 3],
  ['srgb', 4],
  ['rgb16', 3],
  ['rgb16', 4],
  ['grey16', 1],
  ['grey16', 2],
])('passes identical pixels in memory and in a file: %s with %i channels', async (space, channels) => {
  const length = 24 * 16 * channels
  const values = Array.from({ length }, (_, index) => (index * 1237 + 11) % 65_536)
  const pixels = space === 'srgb' ? Uint8Array.from(values) : Uint16Array.from(values)
  const begin = () => sharp(pixels, { raw: { width: 24, height: 16, channels } })
  const read = async (passage: 'memory' | 'file') => {
    const next = await passOn(begin(), { passage, space, file: 'stage-0.tif' }, { folder, environment })
    return next()
      .toColorspace(space)
      .raw({ depth: space === 'srgb' ? 'uchar' : 'ushort' })
      .toBuffer()
  }
  const expected = Buffer.from(pixels.buffer)
  expect((await read('memory')).equals(expected)).toBe(true)
  expect((await read('file')).equals(expected)).toBe(true)
})
