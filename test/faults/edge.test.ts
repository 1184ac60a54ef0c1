import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client, Job } from '../../scripts/client.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { expectChargedOnce, fillBalanceTo } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { countEffects, listResults, passResendTime } from '../support/inside.ts'
import { submit, upload, waitUntilProcessing } from '../support/jobs.ts'
import { useOwnSystem, waitUntilReady } from '../support/own-system.ts'

const folder = makeTestFolder()
const system = useOwnSystem()
let clip: string
let client: Client
let account_id: number

beforeAll(async () => {
  clip = await makeClip(folder, LONG_CLIP)
})
beforeEach(async () => {
  const account = await openAccount(system().api_url)
  client = account.client
  account_id = account.id
})

async function listJobs(): Promise<Job[]> {
  return (await (await client.send('GET', '/api/v1/jobs?limit=200')).json()) as Job[]
}

test('the edge is killed and comes back while the fleet encodes: finished once, charged once', async () => {
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

test('the edge is killed in the middle of submits: what was accepted runs, what was not left no trace', async () => {
  await fillBalanceTo(`http://127.0.0.1:${system().ports.database}`, account_id, 200)
  const file_url = await upload(client, clip)
  const accepted: string[] = []
  const enough = Promise.withResolvers<void>()
  const submits = Array.from({ length: 30 }, async () => {
    const { id } = await submit(client, 'video/thumbnail', file_url, { at: 0 })
    accepted.push(id)
    if (accepted.length === 8) enough.resolve()
  })
  const settled = Promise.allSettled(submits)
  await enough.promise
  await system().parts.edge.kill()
  await settled
  await system().parts.edge.start()
  await waitUntilReady(client)
  await passResendTime(system())
  const listed = await listJobs()
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted))
  const ended = await Promise.all(listed.map(({ id }) => client.waitForJob(id, 60_000)))
  expect(ended.map(({ status }) => status)).toEqual(listed.map(() => 'done'))
  await expectChargedOnce(client, ended)
  expect(await client.balance()).toBe(200 - 2 * listed.length)
  expect(await countEffects(system())).toBe(0)
})
