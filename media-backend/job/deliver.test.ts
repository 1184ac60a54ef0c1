import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Plan } from '../../shared/planning/operation.ts'
import { parseEnvironment } from '../environment.ts'
import { startProgress } from '../runtime/progress.ts'
import { startWaits } from '../runtime/waits.ts'
import { createStorage } from '../storage/storage.ts'
import { startObjectServer } from '../testing/object-server.ts'
import { deliverResult } from './deliver.ts'

test('a result that is rejected after its upload began leaves no object', async () => {
  const [server, folder] = await Promise.all([
    startObjectServer('media-files'),
    mkdtemp(join(tmpdir(), 'deliver-')),
  ])
  onTestFinished(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  const environment = parseEnvironment({
    ...{ EDGE_URL: server.url, FLEET_KEYS: 'YWFh', S3_ENDPOINT: server.url, WORK_DIRECTORY: folder },
    ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
  })
  await writeFile(join(folder, 'result.mp4'), '')
  const plan: Plan = { encode_mode: 'encode', steps: [], outputs: [{ file: 'result.mp4' }] }
  const { signal } = new AbortController()
  const dispatch = {
    ...{ job_id: 'job', dispatch: 1, service_slug: 'video' as const, operation_key: 'mute', params: {} },
    ...{ source: { kind: 'object', key: 'input' } as const, pipeline: [], filename: 'clip.mp4', assets: {} },
    ...{ max_input_seconds: 600, tier: 'free' as const, priority: 1, hold_ms: 0 },
  }
  const times = { picked_up_at: new Date(), waits: startWaits() }
  const attempt = { dispatch, fence: 1, ...times, signal, reportPercent: () => {} }
  const run = { folder, signal, environment }
  const progress = startProgress(() => {})
  const delivery = deliverResult(plan, new Map(), attempt, run, createStorage(environment), progress)
  await expect(delivery).rejects.toThrow('The result would be empty.')
  expect(server.headers.has('results/job/1/clip-mute.mp4')).toBe(true)
  expect([...server.objects.keys()]).toEqual([])
})
