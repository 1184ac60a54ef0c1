import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { drawStages } from './draw-stages.ts'
import type { Passage } from './passes.ts'

const turn: ImageAction = { action: 'rotate', degrees: 90, background: null }

/**
 * Rotates an image four times by 90 degrees, each time in a separate sharp pipeline. Returns whether the pixels are
 * restored, and which files remain.
 */
async function turnAround(passage: Passage) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-stages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pixels = Buffer.from(Array.from({ length: 20 * 10 * 3 }, (_, index) => (index * 37) % 256))
  const open = () => sharp(pixels, { raw: { width: 20, height: 10, channels: 3 } })
  const stages = [[turn], [turn], [turn], [turn]]
  const manner = { format: 'png', space: 'srgb', passage, is_opaque: true } as const
  const run = { folder, environment, signal: new AbortController().signal }
  const drawn = await drawStages(open, stages, new Map(), manner, run)
  const same = (await drawn().raw().toBuffer()).equals(pixels)
  return { same, files: await readdir(folder) }
}

test('deletes the files of intermediate images that the next pipeline has read', async () => {
  expect(await turnAround('memory')).toEqual({ same: true, files: [] })
  expect(await turnAround('file')).toEqual({ same: true, files: ['stage-2.tif'] })
})
