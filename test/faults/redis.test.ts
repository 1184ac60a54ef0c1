/** @module-tag extended */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { expectChargedOnce } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import {
  countEffects,
  listResults,
  readFence,
  redispatchAllJobs,
  resendAllEffects,
} from '../support/inside.ts'
import { submit, upload, waitUntilProcessing } from '../support/jobs.ts'
import { waitUntilReady } from '../support/own-system.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()
let clip: string
let client: Client

beforeAll(async () => {
  clip = await makeClip(folder, LONG_CLIP)
})
beforeEach(async () => {
  client = (await openAccount(system().api_url)).client
})

/** Starts an encode and queues three jobs behind it. The fleet has accepted all of them. */
async function startEncodeAndQueue(): Promise<Job[]> {
  const file_url = await upload(client, clip)
  const encode = await submit(client, 'video/compress', file_url, { preset: 'faster' })
  await waitUntilProcessing(client, encode.id)
  const behind = await Promise.all([1, 2, 3].map((at) => submit(client, 'video/thumbnail', file_url, { at })))
  // The first dispatch of a job stays in the outbox until the job reports, or until it is sent again.
  await resendAllEffects(system())
  await expect.poll(() => countEffects(system())).toBe(0)
  return [encode, ...behind]
}

async function expectAllFinishedOnce(jobs: Job[]): Promise<void> {
  const ended = await Promise.all(jobs.map(({ id }) => client.waitForJob(id, 60_000)))
  expect(ended.map(({ status, error }) => [status, error])).toEqual(jobs.map(() => ['done', null]))
  await expectChargedOnce(client, ended)
  for (const { id } of ended) {
    await expect.poll(() => listResults(system(), id)).toHaveLength(1)
  }
}

test('running and queued jobs finish once after kill -9 of Redis', async () => {
  const jobs = await startEncodeAndQueue()
  await system().parts.redis.kill()
  const checks = { database: 'ok', cache: 'down' }
  expect(await client.readiness()).toMatchObject({ http_status: 503, checks })
  await system().parts.redis.start()
  await waitUntilReady(client)
  await expectAllFinishedOnce(jobs)
})

test('stale jobs are redispatched after Redis loses its data', async () => {
  const jobs = await startEncodeAndQueue()
  const { redis } = system().parts
  await redis.kill()
  await rm(join(system().work_directory, '../redis/appendonlydir'), { recursive: true })
  await redis.start()
  await waitUntilReady(client)
  await redispatchAllJobs(system())
  await expectAllFinishedOnce(jobs)
  for (const { id } of jobs.slice(1)) expect(await readFence(system(), id)).toBe(2001)
})
