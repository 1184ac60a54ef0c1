import { createHash, randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JobSchema } from '../../dev/client-responses.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { expectChargedOnce } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { submit, upload } from '../support/jobs.ts'
import { findProcesses } from '../support/processes.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const received: { headers: Record<string, string>; body: string }[] = []
const system = useSecondSystem()
let receiver: Server
let hook: string

beforeAll(async () => {
  // A customer's server on this machine.
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

interface StreamedEvent {
  name: string
  id: string
  data: { status?: string; progress?: number; job?: unknown }
}

/** Reads a job's events until the stream ends or at least `count` events have arrived. */
async function readEvents(
  path: string,
  headers: Record<string, string>,
  count = Number.POSITIVE_INFINITY,
): Promise<StreamedEvent[]> {
  const response = await fetch(new URL(path, system().api_url), { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const events: StreamedEvent[] = []
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, id, data] = /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (name && id && data) events.push({ name, id, data: JSON.parse(data) })
    }
    if (events.length >= count) break
  }
  return events
}

test('a job from a form upload streams its events to the end and sends a webhook', async () => {
  const { client } = await openAccount(system().api_url)
  const authorization = `Bearer ${client.token}`
  const clip = await makeClip(folder, { name: 'holiday.mp4', seconds: 12, size: '640x360' })
  const form = new FormData()
  form.append('file', await openAsBlob(clip, { type: 'video/mp4' }), 'holiday.mp4')
  form.append('service_slug', 'video')
  form.append('operation_key', 'compress')
  form.append('params', JSON.stringify({ level: 'light' }))
  form.append('webhook_url', hook)
  const response = await fetch(new URL('/api/v1/jobs/upload', system().api_url), {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  const submitted = await response.json()
  expect(response.status, JSON.stringify(submitted)).toBe(201)
  const { id } = JobSchema.parse(submitted)

  const path = `/api/v1/jobs/${id}/events`
  const firstEvents = await readEvents(path, { authorization }, 1)
  expect(firstEvents[0]).toMatchObject({ name: 'status', id: '1.0', data: { status: 'queued' } })
  const rest = await readEvents(path, { authorization, 'last-event-id': firstEvents.at(-1)?.id ?? '' })
  const states = [...firstEvents, ...rest]
    .filter(({ name }) => name === 'status')
    .map(({ data }) => data.status)
  expect(states).toEqual(['queued', 'processing', 'done'])
  const job = await client.job(id)
  expect(rest.at(-1)?.data.job).toMatchObject({ id, status: 'done', result: { url: job.result?.url } })
  await expectChargedOnce(client, [job])

  await expect.poll(() => received.length).toBe(1)
  const { secret } = (await (await client.send('GET', '/api/v1/webhooks/secret')).json()) as {
    secret: string
  }
  const [sent] = received
  const event = new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {})
  expect(event).toMatchObject({
    type: 'job.done',
    timestamp: job.finished_at,
    data: { id, result: job.result },
  })
})

test('canceling a job ends the encoder within 2 s and refunds all credits', async () => {
  const { client } = await openAccount(system().api_url)
  const before = await client.balance()
  const file_url = await upload(client, await makeClip(folder, LONG_CLIP))
  const { id } = await submit(client, 'video/compress', file_url, { preset: 'slow' })
  // Every process that works on a job has the job's folder in its command line.
  const encoders = () => findProcesses('libx264', `${id}-`)
  await expect.poll(encoders, { interval: 20 }).not.toEqual([])

  const requested_ms = performance.now()
  expect(await client.cancel(id)).toMatchObject({ status: 'canceled', final_cost: 0 })
  await expect.poll(() => findProcesses('', `${id}-`), { timeout: 2000, interval: 20 }).toEqual([])
  expect(performance.now() - requested_ms).toBeLessThan(2000)
  expect(await client.balance()).toBe(before)
  await expectChargedOnce(client, [await client.job(id)])
  await expect.poll(() => readdir(system().work_directory)).toEqual([])
})

test('a large file is stored unchanged, and one over the limit is refused', async () => {
  const { client } = await openAccount(system().api_url)
  const headers = { authorization: `Bearer ${client.token}` }
  const bytes = randomBytes(20 * 1024 * 1024)
  const send = (content: Uint8Array) => {
    const form = new FormData()
    form.append('file', new Blob([content], { type: 'video/mp4' }), 'big.mp4')
    return fetch(new URL('/api/v1/uploads', system().api_url), { method: 'POST', headers, body: form })
  }
  const response = await send(bytes)
  const text = await response.text()
  expect(response.status, text).toBe(201)
  const { url, size_bytes } = JSON.parse(text) as { url: string; size_bytes: number }
  expect(size_bytes).toBe(bytes.length)
  const back = Buffer.from(await (await client.download(url)).arrayBuffer())
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
  expect(digest(back)).toBe(digest(bytes))
  const refused = await send(Buffer.alloc(40 * 1024 * 1024))
  expect(refused.status).toBe(413)
})
