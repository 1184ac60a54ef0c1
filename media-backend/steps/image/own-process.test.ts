import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { ImageOutput, ImageStep } from '../../../shared/planning/steps.ts'
import { photo } from '../../testing/clips.ts'
import { LONE_ENVIRONMENT } from '../../testing/environment.ts'
import { drawImage } from './own-process.ts'

const SIDE = 14_000
const resize = (side: number) => ({ action: 'resize', width: side, height: side, fit: 'fill' }) as const

async function startRun(input: Buffer, settings: Partial<typeof LONE_ENVIRONMENT> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-apart-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'source'), input)
  const controller = new AbortController()
  const environment = { ...LONE_ENVIRONMENT, ...settings }
  return { run: { folder, environment, signal: controller.signal }, controller }
}

function stepOf(actions: ImageStep['actions'], output: Partial<ImageOutput> = {}): ImageStep {
  const requested: ImageOutput = { file: 'out', format: 'webp', quality: null, max_bytes: null, ...output }
  return { kind: 'image', input: 'source', actions, output: requested }
}

test('draws the same image in a child process', async () => {
  const input = await photo()
  const drawn = await Promise.all(
    [0, 1e12].map(async (IMAGE_PROCESS_BYTES_MIN) => {
      const { run } = await startRun(input, { IMAGE_PROCESS_BYTES_MIN })
      const measured = await drawImage(stepOf([resize(100)], { max_bytes: 2000 }), run)
      return { measured, content: await readFile(join(run.folder, 'out')) }
    }),
  )
  expect(drawn[0]).toEqual(drawn[1])
  expect(drawn[0]?.measured).toMatchObject({ width: 100, height: 100 })
})

test('fails the job when the child process fails', async () => {
  const { run } = await startRun(await photo(), { IMAGE_PROCESS_BYTES_MIN: 0 })
  await expect(drawImage(stepOf([], { max_bytes: 10 }), run)).rejects.toMatchObject({
    name: 'JobFailure',
    error_code: 'parameter_refused',
    message: expect.stringMatching(/^max_kb: /),
  })
})

test('stops work on a large image inside a sharp pipeline when its job is canceled', async () => {
  const tiny = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const { run, controller } = await startRun(tiny)
  const drawing = drawImage(stepOf([resize(SIDE), resize(16)]), run)
  const ended = drawing.catch((error: unknown) => error)
  const stage = join(run.folder, 'stage-0.tif')
  while (!existsSync(stage)) await setTimeout(5)
  const reason = new Error('cancelled')
  controller.abort(reason)
  expect(await ended).toBe(reason)
  expect((await stat(stage)).size).toBeLessThan(SIDE * SIDE * 3)
})
