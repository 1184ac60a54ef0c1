import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { JobError, type JobEvent, Media, type Progress } from '../../client/node/index.ts'
import { openAccount } from '../support/accounts.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { openKey } from '../support/media.ts'

const system = inject('system')
const { api_url } = system
const folder = makeTestFolder()
let photo: string
let key: { apiUrl: string; apiKey: string }
let media: Media

beforeAll(async () => {
  photo = join(folder, 'photo.jpg')
  await sharp({ create: { width: 64, height: 48, channels: 3, background: '#abcdef' } }).toFile(photo)
  key = await openKey(system)
  media = new Media(key)
})

describe('an operation', () => {
  test('runs on a path, reports its progress and saves the result', async () => {
    const phases: Progress[] = []
    const result = await media.image.resize(photo, { width: 32 }, { onProgress: (each) => phases.push(each) })
    expect(result).toMatchObject({
      content_type: 'image/jpeg',
      body: { width: 32, height: 24, format: 'jpeg' },
    })
    expect(result.job).toMatchObject({ status: 'done', source: 'api', final_cost: 2 })
    expect(new Set(phases.map(({ phase }) => phase))).toEqual(new Set(['uploading', 'queued', 'processing']))
    expect(phases.at(-1)).toEqual({ phase: 'processing', fraction: 1, jobId: result.job.id })
    const saved = join(folder, 'small.jpg')
    await result.save(saved)
    expect((await stat(saved)).size).toBe(result.size_bytes)
    expect(await sharp(saved).metadata()).toMatchObject({ width: 32, height: 24 })
    expect((await result.blob()).size).toBe(result.size_bytes)
    expect(result.files).toEqual([result])
    expect(inspect(result)).not.toContain(key.apiKey)
  })

  test('runs on a Blob, on bytes, on a stream of unknown length, and on the result of another job', async () => {
    const bytes = await readFile(photo)
    const blob = new Blob([bytes], { type: 'image/jpeg' })
    const first = await media.image.compress(blob, { quality: 50 }, { filename: 'named.jpg' })
    expect(first.filename).toMatch(/^named/)
    const inputs = [new Uint8Array(bytes), blob.stream(), first.url, new URL(first.url)]
    for (const input of inputs) {
      expect((await media.image.convert(input, { format: 'png' })).content_type).toBe('image/png')
    }
  })

  test('that fails throws the error of its job, and the credits are refunded', async () => {
    const { balance } = await media.me.ping()
    const failure = await media.image.resize(new Blob(['no image']), { width: 32 }).catch((error) => error)
    expect(failure).toBeInstanceOf(JobError)
    expect(failure).toMatchObject({ code: 'input_unreadable', status: 0, job: { status: 'failed' } })
    expect((await media.me.ping()).balance).toBe(balance)
  })

  test('with a refused parameter throws before anything is charged', async () => {
    const failure = await media.image.resize(photo, { width: 3 }).catch((error) => error)
    expect(failure).toMatchObject({
      name: 'MediaError',
      status: 400,
      code: 'invalid_params',
      param: 'params.width',
    })
    expect(failure.docUrl).toContain('#invalid_params')
    expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('that is aborted cancels its job', async () => {
    const clip = await makeClip(folder, LONG_CLIP)
    const abort = new AbortController()
    const onProgress = ({ phase, jobId }: Progress) => {
      if (phase !== 'uploading' && jobId !== undefined) abort.abort(new Error(jobId))
    }
    const running = media.video.compress(clip, { preset: 'slow' }, { signal: abort.signal, onProgress })
    const failure = await running.catch((error: Error) => error)
    expect(failure).toBe(abort.signal.reason)
    expect(await media.jobs.get(abort.signal.reason.message)).toMatchObject({
      status: 'canceled',
      final_cost: 0,
    })
  })

  test('that is aborted during the upload submits no job', async () => {
    const abort = new AbortController()
    const before = (await media.jobs.list({ limit: 200 })).length
    const running = media.image.resize(
      photo,
      { width: 32 },
      { signal: abort.signal, onProgress: () => abort.abort() },
    )
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(await media.jobs.list({ limit: 200 })).toHaveLength(before)
  })

  test('on a file that does not exist says so', async () => {
    await expect(media.image.resize(join(folder, 'no.jpg'))).rejects.toThrow('File not found')
    await expect(media.image.resize(folder)).rejects.toThrow('is not a file')
  })
})

describe('jobs', () => {
  test('are submitted once per Idempotency-Key, followed to their end, and listed page by page', async () => {
    const submission = {
      service: 'image',
      operation: 'convert',
      file: (await media.uploads.file(photo)).url,
      params: { format: 'webp' },
    } as const
    const options = { idempotencyKey: crypto.randomUUID() }
    const job = await media.jobs.submit(submission, options)
    expect((await media.jobs.submit(submission, options)).id).toBe(job.id)
    const events: JobEvent[] = []
    for await (const event of media.jobs.events(job.id)) events.push(event)
    expect(events[0]).toMatchObject({ type: 'status', status: 'queued', job_id: job.id })
    expect(events.at(-1)).toMatchObject({ type: 'status', status: 'done', job: { id: job.id } })
    const other = await media.jobs.repeat(job.id)
    expect(media.jobs.result(await media.jobs.wait(other.id)).content_type).toBe('image/webp')
    const visited: string[] = []
    for await (const { id } of media.jobs.list({ limit: 1 })) {
      visited.push(id)
      if (visited.length === 2) break
    }
    expect(visited).toEqual([other.id, job.id])
  })

  test('of which the events were interrupted continue with the next one', async () => {
    let streams = 0
    const interrupting = new Media({
      ...key,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!String(url).endsWith('/events') || response.body === null) return response
        return ++streams === 1 ? new Response(endAfterFirstEvent(response.body), response) : response
      },
    })
    const { id } = await interrupting.jobs.submit({
      service: 'image',
      operation: 'transform',
      file: photo,
      params: { rotate: 90 },
    })
    const statuses: string[] = []
    for await (const event of interrupting.jobs.events(id))
      if (event.type === 'status') statuses.push(event.status)
    expect(streams).toBe(2)
    expect(statuses.filter((status) => status === 'queued')).toHaveLength(1)
    expect(statuses.at(-1)).toBe('done')
  })

  test('are polled where event streams do not arrive', async () => {
    const polling = new Media({
      ...key,
      fetch: async (url, init) =>
        String(url).endsWith('/events') ? new Response('', { status: 200 }) : fetch(url, init),
    })
    const result = await polling.image.convert(photo, { format: 'png' })
    expect(result.content_type).toBe('image/png')
  })

  test('that do not exist are an error of every call about them', async () => {
    for (const call of [media.jobs.get, media.jobs.wait, media.jobs.cancel]) {
      await expect(call('none')).rejects.toMatchObject({ status: 404, code: 'job_not_found' })
    }
  })
})

describe('a batch', () => {
  const resize = { service: 'image', operation: 'resize', params: { width: 32 } } as const

  test('uploads its files, runs the operation on all of them, and reports its progress', async () => {
    const { url } = await media.uploads.file(photo)
    const phases: string[] = []
    const options = {
      idempotencyKey: crypto.randomUUID(),
      onProgress: ({ phase, fraction }: { phase: string; fraction: number }) =>
        phases.push(`${phase} ${fraction}`),
    }
    const batch = await media.batches.run([photo, url, new Blob(['no image'])], resize, options)
    expect(batch).toMatchObject({ total: 3, done: 2, failed: 1 })
    expect(batch.jobs.map(({ status }) => status)).toEqual(['done', 'done', 'failed'])
    expect([phases[0], phases.at(-1)]).toEqual(['uploading 0', 'processing 1'])
  })

  test('that is aborted during the upload is not submitted', async () => {
    const abort = new AbortController()
    const before = (await media.batches.list()).length
    const options = { signal: abort.signal, onProgress: () => abort.abort() }
    await expect(media.batches.run([photo, photo], resize, options)).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(await media.batches.list()).toHaveLength(before)
  })
})

describe('a credential', () => {
  test('that is unknown is refused, and no attempt is repeated', async () => {
    let requests = 0
    const counting: typeof fetch = (...values) => {
      requests++
      return fetch(...values)
    }
    const stranger = new Media({ apiUrl: api_url, apiKey: 'mk_unknown', fetch: counting })
    await expect(stranger.me.ping()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(requests).toBe(1)
  })

  test('of a session reads what a key may not', async () => {
    const { client } = await openAccount(api_url)
    const session = new Media({ apiUrl: api_url, apiKey: client.token ?? '' })
    expect(await session.billing.getBalance()).toMatchObject({ balance: 20 })
    expect(await session.billing.listLedger()).toMatchObject([{ amount: 20 }])
    await expect(media.billing.getBalance()).rejects.toMatchObject({ status: 401 })
  })
})

test('a service that is not there is a network error, after the retries', async () => {
  let requests = 0
  const counting: typeof fetch = (...values) => {
    requests++
    return fetch(...values)
  }
  const lost = new Media({ apiUrl: 'http://127.0.0.1:9', apiKey: 'mk_x', maxRetries: 1, fetch: counting })
  await expect(lost.me.ping()).rejects.toMatchObject({ status: 0, code: 'network_error' })
  expect(requests).toBe(2)
  expect(() => new Media({ apiUrl: '' })).toThrow(TypeError)
})

/** Ends a stream of events after its first event, as a lost connection does. */
function endAfterFirstEvent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let has_ended = false
  const decoder = new TextDecoder()
  return body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        if (has_ended) return
        controller.enqueue(chunk)
        has_ended = decoder.decode(chunk).includes('event:')
        if (has_ended) controller.terminate()
      },
    }),
  )
}
