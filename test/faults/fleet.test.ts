import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { type FleetProcess, spawnFleet } from '../../media-backend/testing/fleet-process.ts'
import { listJobFolders } from '../../media-backend/testing/job-folders.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { expectChargedOnce } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { countEffectsOf, listResults, readFence, readResultId, resendAllEffects } from '../support/inside.ts'
import { submit, upload, waitUntilProcessing } from '../support/jobs.ts'
import { waitUntilReady } from '../support/own-system.ts'
import { findProcesses } from '../support/processes.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()
let clip: string
let client: Client
let others: FleetProcess[]

beforeAll(async () => {
  clip = await makeClip(folder, LONG_CLIP)
})
beforeEach(async () => {
  others = []
  client = (await openAccount(system().api_url)).client
  await waitUntilReady(client)
})
afterEach(async () => {
  await Promise.all(others.map((fleet) => fleet.end('SIGTERM')))
  // A test that fails while the fleet is down does not fail the tests after it.
  if (system().parts.fleet.pid === null) await system().parts.fleet.start()
})

async function startEncode(): Promise<Job> {
  const job = await submit(client, 'video/compress', await upload(client, clip), { preset: 'faster' })
  await waitUntilProcessing(client, job.id)
  return job
}

/** Expects the job to be done with one charge, one stored result from the newest attempt, and no temporary files. */
async function expectFinishedOnce(id: string): Promise<Job> {
  const job = await client.waitForJob(id, 100_000)
  expect([job.status, job.error]).toEqual(['done', null])
  await expectChargedOnce(client, [job])
  const fence = await readFence(system(), id)
  const results = () => listResults(system(), id)
  const key = `results/${await readResultId(system(), id)}/${fence}/${job.result?.filename}`
  await expect.poll(results).toEqual([key])
  await expect.poll(() => listJobFolders(system().work_directory)).toEqual([])
  return job
}

test('a job is retried, finishes once and is charged once after kill -9 of the fleet during its encode', async () => {
  const { id } = await startEncode()
  expect(await readFence(system(), id)).toBe(1001)
  await system().parts.fleet.kill()
  expect(await findProcesses('ffmpeg', `${id}-`)).toEqual([])
  await system().parts.fleet.start()
  await expectFinishedOnce(id)
  expect(await readFence(system(), id)).toBe(1002)
})

test('a fleet that hangs loses its job to another fleet and changes nothing when it resumes', {
  tags: ['extended'],
}, async () => {
  const { id } = await startEncode()
  system().parts.fleet.signal('SIGSTOP')
  others.push(await spawnFleet(system().parts.fleet.definition.environment))
  const job = await client.waitForJob(id, 100_000)
  const fence = await readFence(system(), id)
  expect([job.status, fence]).toEqual(['done', 1002])
  system().parts.fleet.signal('SIGCONT')
  await expect.poll(() => findProcesses('ffmpeg', `${id}-1001`)).toEqual([])
  expect(await expectFinishedOnce(id)).toEqual(job)
})

test('jobs that are submitted while the fleet is down run when it returns', {
  tags: ['extended'],
}, async () => {
  await system().parts.fleet.stop()
  const file_url = await upload(client, clip)
  const jobs = await Promise.all([1, 2, 3].map((at) => submit(client, 'video/thumbnail', file_url, { at })))
  expect(jobs.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued'])
  await resendAllEffects(system())
  expect(await countEffectsOf(system(), jobs)).toBe(3)
  await system().parts.fleet.start()
  await resendAllEffects(system())
  const ended = await Promise.all(jobs.map(({ id }) => client.waitForJob(id, 100_000)))
  expect(ended.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  await expectChargedOnce(client, ended)
  await expect.poll(() => countEffectsOf(system(), jobs)).toBe(0)
})

test('canceling a job during its encode ends ffmpeg and refunds all credits', async () => {
  const { id } = await startEncode()
  const findEncoders = () => findProcesses('libx264', `${id}-`)
  await expect.poll(findEncoders, { interval: 20 }).not.toEqual([])
  const canceled = await client.cancel(id)
  expect(canceled).toMatchObject({ status: 'canceled', final_cost: 0, result: null })
  // test/own-systems/job-life.test.ts measures how soon it ends.
  await expect.poll(findEncoders).toEqual([])
  await expect.poll(() => listJobFolders(system().work_directory)).toEqual([])
  expect(await client.balance()).toBe(20)
  await expect(client.cancel(id)).rejects.toMatchObject({ status: 409 })
  expect(await client.job(id)).toEqual(canceled)
  await expectChargedOnce(client, [canceled])
  expect(await listResults(system(), id)).toEqual([])
})
