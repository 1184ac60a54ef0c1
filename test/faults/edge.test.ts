/** @module-tag extended */

import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { expectChargedOnce, fillBalanceTo } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { countEffects, listResults, resendAllEffects } from '../support/inside.ts'
import { submit, upload, waitUntilProcessing } from '../support/jobs.ts'
import { waitUntilReady } from '../support/own-system.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()
const image = join(folder, 'red.png')
let clip: string
let client: Client
let account_id: number

beforeAll(async () => {
  clip = await makeClip(folder, LONG_CLIP)
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(image)
})
beforeEach(async () => {
  const account = await openAccount(system().api_url)
  client = account.client
  account_id = account.id
})

async function listJobs(): Promise<Job[]> {
  return (await (await client.send('GET', '/api/v1/jobs?limit=200')).json()) as Job[]
}

/**
 * Expects every listed job to finish as done with exactly one charge, and no other charges on the account.
 * @returns the job ids
 */
async function expectAllJobsDone(balance_before: number): Promise<string[]> {
  const listed = await listJobs()
  const ended = await Promise.all(listed.map(({ id }) => client.waitForJob(id, 60_000)))
  expect(ended.map(({ status }) => status)).toEqual(listed.map(() => 'done'))
  await expectChargedOnce(client, ended)
  expect(await client.balance()).toBe(balance_before - 2 * listed.length)
  await expect.poll(() => countEffects(system())).toBe(0)
  return listed.map(({ id }) => id)
}

test('a job finishes once and is charged once when the edge restarts during its encode', async () => {
  const { id } = await submit(client, 'video/compress', await upload(client, clip), { preset: 'faster' })
  await waitUntilProcessing(client, id)
  await system().parts.edge.kill()
  await system().parts.edge.start()
  await waitUntilReady(client)
  const job = await client.waitForJob(id, 60_000)
  expect([job.status, job.error]).toEqual(['done', null])
  await expectChargedOnce(client, [job])
  expect(await listResults(system(), id)).toHaveLength(1)
})

test('accepted jobs run and other submissions leave no trace when the edge is killed during submissions', async () => {
  await fillBalanceTo(`http://127.0.0.1:${system().ports.database}`, account_id, 200)
  const file_url = await upload(client, image)
  const accepted: string[] = []
  const enough = Promise.withResolvers<void>()
  const submits = Array.from({ length: 30 }, async () => {
    const { id } = await submit(client, 'image/resize', file_url, { width: 16 })
    accepted.push(id)
    if (accepted.length === 8) enough.resolve()
  })
  const settled = Promise.allSettled(submits)
  await enough.promise
  await system().parts.edge.kill()
  await settled
  await system().parts.edge.start()
  await waitUntilReady(client)
  await resendAllEffects(system())
  const listed = await expectAllJobsDone(200)
  expect(listed).toEqual(expect.arrayContaining(accepted))
})

test('charged jobs run and other requests are served when clients disconnect while they submit', async () => {
  await fillBalanceTo(`http://127.0.0.1:${system().ports.database}`, account_id, 200)
  const file_url = await upload(client, image)
  const hangUps = Array.from({ length: 40 }, (_, index) =>
    fetch(`${system().api_url}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        service_slug: 'image',
        operation_key: 'resize',
        params: { file_url, width: 16 },
      }),
      signal: AbortSignal.timeout(5 + 10 * index),
    }),
  )
  const answers = await Promise.allSettled(hangUps)
  expect(answers.some(({ status }) => status === 'rejected')).toBe(true)
  const { id } = await submit(client, 'image/resize', file_url, { width: 16 })
  expect((await client.waitForJob(id, 60_000)).status).toBe('done')
  // A submission whose client disconnected can still be charged after the other jobs have ended.
  await vi.waitFor(
    async () => {
      await resendAllEffects(system())
      await expectAllJobsDone(200)
    },
    { timeout: 60_000, interval: 500 },
  )
})
