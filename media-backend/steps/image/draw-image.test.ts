import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { ImageOutput, ImageStep } from '../../../shared/planning/steps.ts'
import { photo } from '../../testing/clips.ts'
import { LONE_ENVIRONMENT } from '../../testing/environment.ts'
import { drawImage } from './draw-image.ts'

const SIDE = 14_000
const resize = (side: number) => ({ action: 'resize', width: side, height: side, fit: 'fill' }) as const

async function startRun(input: Buffer) {
  const root = await mkdtemp(join(tmpdir(), 'fleet-apart-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'job')
  await mkdir(folder)
  await writeFile(join(folder, 'source'), input)
  const controller = new AbortController()
  return { root, controller, run: { folder, environment: LONE_ENVIRONMENT, signal: controller.signal } }
}

function stepOf(actions: ImageStep['actions'], output: Partial<ImageOutput> = {}): ImageStep {
  const requested: ImageOutput = { file: 'out', format: 'webp', quality: null, max_bytes: null, ...output }
  return { kind: 'image', input: 'source', actions, output: requested }
}

test('fails the job as the process that draws says', async () => {
  const { run } = await startRun(await photo())
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
  const { root, run, controller } = await startRun(tiny)
  const drawing = drawImage(stepOf([resize(SIDE), resize(16)]), run)
  const ended = drawing.catch((error: unknown) => error)
  const decoder = () => readdirSync(root).find((name) => name.startsWith('decoder-')) ?? 'none'
  while (!existsSync(join(root, decoder(), 'stage-0.tif'))) await setTimeout(5)
  const reason = new Error('cancelled')
  controller.abort(reason)
  expect(await ended).toBe(reason)
  expect(readdirSync(root)).toEqual(['job'])
})
