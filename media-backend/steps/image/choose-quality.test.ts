import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ImageStep } from '../../../shared/planning/steps.ts'
import { openImage } from '../../runtime/sharp.ts'
import { photo } from '../../testing/clips.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { type DrawnImage, encodeBuffer, keepDecoded } from './encode.ts'
import { chooseQuality } from './image.ts'

test('draws an image once to choose its quality and to encode it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-quality-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const source = join(folder, 'source')
  await writeFile(source, await photo())
  let opened = 0
  const drawn: DrawnImage = {
    open: () => {
      opened += 1
      return openImage(source, environment)
    },
    ...{ animation: null, space: 'srgb', adds_colors: false, is_lossless: false, is_input: false },
  }
  const output = { file: 'choose-quality.jpg', format: 'jpeg', quality: null, max_bytes: null } as const
  const step: ImageStep = {
    kind: 'image',
    input: 'source',
    actions: [],
    output: { ...output, similarity_min: 0.9 },
  }
  const limits = { ...environment, signal: new AbortController().signal }
  const run = { folder, environment, signal: limits.signal }
  const { image, chosen } = await chooseQuality(drawn, step, run)
  const opened_to_choose = opened
  expect(chosen.output.quality).toBeGreaterThanOrEqual(60)
  const kept = await encodeBuffer(image, output, chosen.output.quality, limits)
  expect((await keepDecoded(image, environment)).raw).toBe(image.raw)
  expect(opened).toBe(opened_to_choose)
  const redrawn = await encodeBuffer(drawn, output, chosen.output.quality, limits)
  expect(kept.data.equals(redrawn.data)).toBe(true)
})
