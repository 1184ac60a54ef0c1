import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { makeClip } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'
import { upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const execute = promisify(execFile)
const JOB_MS_MAX = 60_000
const COMPRESS = { service_slug: 'video', operation_key: 'compress', params: { preset: 'ultrafast' } }
const THUMBNAIL = { service_slug: 'video', operation_key: 'thumbnail', params: { format: 'png' } }

const Job = z.looseObject({ id: z.string(), status: z.string(), final_cost: z.int().nullable() })
const Batch = z.looseObject({
  id: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  done: z.int(),
  failed: z.int(),
  canceled: z.int(),
  final_cost: z.int().nullable(),
  jobs: z.array(Job),
})

let clip: string
/** A clip that exceeds the free tier's duration limit but has few frames. */
let longClip: string

beforeAll(async () => {
  clip = await makeClip(folder, { name: 'short.mp4', seconds: 1 })
  longClip = join(folder, 'long.mp4')
  const video = ['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=1:duration=1920']
  await execute('ffmpeg', ['-v', 'error', '-nostdin', ...video, '-preset', 'ultrafast', longClip])
})

async function send<Answer>(client: Client, schema: z.ZodType<Answer>, path: string, body: object) {
  const response = await client.send('POST', path, body)
  const text = await response.text()
  expect(response.status, text).toBe(201)
  return schema.parse(JSON.parse(text))
}

async function waitForBatch(client: Client, id: string) {
  const read = async () =>
    Batch.parse(await (await client.send('GET', `/api/v1/studio/batches/${id}`)).json())
  const states = ['done', 'failed', 'canceled']
  await expect.poll(async () => states.includes((await read()).status), { timeout: JOB_MS_MAX }).toBe(true)
  return read()
}

test('a batch processes and charges each of its files', async () => {
  const { client } = await openAccount(system.api_url)
  const files = await Promise.all(
    ['first.mp4', 'second.mp4'].map(async (filename) => ({ url: await upload(client, clip), filename })),
  )
  const { id } = await send(client, Batch, '/api/v1/studio/batch', { ...THUMBNAIL, files })
  const batch = await waitForBatch(client, id)
  expect(batch).toMatchObject({ status: 'done', done: 2, final_cost: 4, error: null })
  const names = batch.jobs.map(({ result }) => (result as { filename: string }).filename)
  expect(names).toEqual(['first-thumbnail.png', 'second-thumbnail.png'])
  expect(await client.verifyLedger()).toMatchObject({ ok: true, balance: 16 })
})

test('a file that is too long stops its batch, and unfinished jobs are refunded', async () => {
  const { client } = await openAccount(system.api_url)
  const sources = [clip, longClip, clip, clip, clip]
  const file_urls = await Promise.all(sources.map((file) => upload(client, file)))
  const { id } = await send(client, Batch, '/api/v1/studio/batch', { ...COMPRESS, file_urls })
  const batch = await waitForBatch(client, id)
  expect(batch).toMatchObject({ status: 'failed', failed: 1 })
  expect(batch.error).toMatch(/^long\.mp4: .* 32 min long; the free tier allows up to 30 min\./)
  expect(batch.done + batch.failed + batch.canceled).toBe(5)
  expect(batch.final_cost).toBe(2 * batch.done)
  expect(await client.verifyLedger()).toMatchObject({ ok: true, balance: 20 - 2 * batch.done })
})

test('an anonymous visitor uploads, runs a job, downloads the result and deletes it', async () => {
  const visitor = new Client(system.api_url)
  const file_url = await upload(visitor, clip)
  const Run = z.object({ job: Job })
  const { job } = await send(visitor, Run, '/api/v1/studio/run', { ...THUMBNAIL, file_url })
  const done = await visitor.waitForJob(job.id, JOB_MS_MAX)
  expect(done).toMatchObject({ status: 'done', estimated_cost: 0, final_cost: 0 })
  const url = done.result?.url ?? ''
  expect((await fetch(url)).status).toBe(200)
  // The URL might be shared, so it must not contain the job id, which is enough to delete the job.
  expect(url).not.toContain(job.id)
  const delivered = await visitor.send('POST', `/api/v1/jobs/${job.id}/delivered`)
  expect(await delivered.json()).toEqual({ purged: true })
  expect([(await fetch(url)).status, (await fetch(file_url)).status]).toEqual([404, 404])
})
