/** @module-tag extended */

import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { openAccount } from '../support/accounts.ts'
import { makeClip } from '../support/clips.ts'
import { expectChargedOnce } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { listResults, readFence } from '../support/inside.ts'
import { submit, upload, waitUntilProcessing } from '../support/jobs.ts'
import { waitForLog } from '../support/own-system.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()

let file_url: string
let client: Client
let clip: string
beforeAll(async () => {
  clip = await makeClip(folder, { name: 'clip.mp4', seconds: 10, size: '640x360' })
})
beforeEach(async () => {
  client = (await openAccount(system().api_url)).client
  file_url = await upload(client, clip)
})

async function expectFinishedOnce(id: string): Promise<Job> {
  const job = await client.waitForJob(id, 60_000)
  expect([job.status, job.error]).toEqual(['done', null])
  await expectChargedOnce(client, [job])
  expect(await listResults(system(), id)).toHaveLength(1)
  expect(await readFence(system(), id)).toBe(1001)
  return job
}

test('the edge handles the final report once after the fleet loses its connection to the edge', async () => {
  const { id } = await submit(client, 'video/compress', file_url)
  await waitUntilProcessing(client, id)
  await waitForLog(system(), 'fleet', 'report_retried', async () => system().line.cut())
  expect((await client.job(id)).status).toBe('processing')
  system().line.restore()
  await expectFinishedOnce(id)
})

test('the edge handles the final report once when the database is down as the job ends', async () => {
  const { id } = await submit(client, 'video/compress', file_url)
  await waitUntilProcessing(client, id)
  await waitForLog(system(), 'fleet', 'report_retried', () => system().parts.database.kill())
  await system().parts.database.start()
  await expectFinishedOnce(id)
})

test('the job finishes once when the fleet is killed between the end of the job and its report', async () => {
  const { id } = await submit(client, 'video/compress', file_url)
  await waitUntilProcessing(client, id)
  await waitForLog(system(), 'fleet', 'report_retried', async () => system().line.cut())
  await system().parts.fleet.kill()
  system().line.restore()
  await system().parts.fleet.start()
  await expectFinishedOnce(id)
})
