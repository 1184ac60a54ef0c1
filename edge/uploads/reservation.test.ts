import { expect, test } from 'vitest'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'

/** 1 GB has room for ten files of the largest size of a form, 100 MiB. */
const limits = {
  ...{ open_upload_gb_max_free: 1, open_upload_gb_max_anonymous: 1 },
  ...{ requests_per_minute_free: 1000, requests_per_minute_anonymous: 1000, uploads_per_day_anonymous: 1000 },
}
const LARGEST_FORMS = 10
const MINUTE_MS = 60 * 1000
const BOUNDARY = 'boundary-of-a-test'
type TestContext = Awaited<ReturnType<typeof makeLimitedContext>>

const text = new TextEncoder()
const START =
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="clip.mp4"\r\n` +
  'Content-Type: video/mp4\r\n\r\n'

/** Begins a form, which stays open until it is ended. */
function beginForm(
  { call }: TestContext,
  credential: { token?: string; headers?: Record<string, string> },
  path: '/api/v1/uploads' | '/api/v1/jobs/upload' | `/api/v1/upload-links/${string}` = '/api/v1/uploads',
) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const headers = { ...credential.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const answer = call('POST', path, { ...credential, headers, content: readable })
  const send = (bytes: Uint8Array) => writer.write(bytes).catch(() => undefined)
  const started = send(text.encode(START)).then(() => send(MP4.bytes.subarray(0, 1000)))
  return {
    answer,
    started,
    send,
    async end() {
      await send(MP4.bytes.subarray(1000))
      await send(text.encode(`\r\n--${BOUNDARY}--\r\n`))
      await writer.close().catch(() => undefined)
      return answer
    },
    async cut() {
      await writer.abort(new Error('The connection was lost.')).catch(() => undefined)
      return answer
    },
  }
}

const countReserved = async ({ deps }: TestContext, { id }: Person, after_ms = 0) => {
  const sql = 'SELECT count(*) AS total FROM uploads WHERE account_id = ? AND expires_at > ?'
  const { rows } = await deps.db.$client.execute({ sql, args: [id, deps.clock.now() + after_ms] })
  return Number(rows[0]?.total)
}

/** Begins as many forms as fit, and waits until each counts. */
async function fill(limited: TestContext, person: Person) {
  const forms = Array.from({ length: LARGEST_FORMS }, () => beginForm(limited, person))
  await expect.poll(() => countReserved(limited, person), { timeout: 20_000 }).toBe(LARGEST_FORMS)
  return forms
}

test('concurrent forms count with their largest size while they are received, and with their own size then', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const forms = await fill(limited, person)
  const link = await makeLink(limited, person)
  const headers = { 'cf-connecting-ip': freshAddress() }
  const refused = await Promise.all([
    beginForm(limited, person).answer,
    beginForm(limited, person, '/api/v1/jobs/upload').answer,
    beginForm(limited, { headers }, `${link.path}/file`).answer,
  ])
  expect(refused.map(({ status, code }) => [status, code])).toEqual([
    ...[
      [429, 'too_many_open_uploads'],
      [429, 'too_many_open_uploads'],
    ],
    [429, 'upload_link_full'],
  ])
  const answers = await Promise.all(forms.map((form) => form.end()))
  expect(answers.map(({ status }) => status)).toEqual(Array(LARGEST_FORMS).fill(201))
  expect((await beginForm(limited, person).end()).status).toBe(201)
})

test('a declared length counts instead of the largest size', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  await fill(limited, person)
  const headers = { 'content-length': String(MP4.bytes.length + 300) }
  expect((await beginForm(limited, { ...person, headers }).end()).status).toBe(201)
})

test('a form whose connection is lost no longer counts', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const [first] = await fill(limited, person)
  await first?.cut()
  await limited.settled().catch(() => undefined)
  await expect.poll(() => countReserved(limited, person)).toBe(LARGEST_FORMS - 1)
  expect((await beginForm(limited, person).end()).status).toBe(201)
})

test('a form that sends nothing for ten minutes no longer counts, and its file is refused', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const [silent, slow] = await fill(limited, person)
  limited.clock.now += 9 * MINUTE_MS
  await slow?.send(MP4.bytes.subarray(0, 1000))
  await expect.poll(() => countReserved(limited, person, MINUTE_MS)).toBe(1)
  limited.clock.now += MINUTE_MS
  expect((await slow?.end())?.status).toBe(201)
  expect((await silent?.end())?.code).toBe('validation_failed')
})

test('the file of a form that is refused or lost after it no longer counts', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const refused = new FormData()
  for (const name of ['one.mp4', 'two.mp4']) {
    refused.append('file', new File([Uint8Array.from(MP4.bytes)], name, { type: 'video/mp4' }))
  }
  const options = { token: person.token, content: refused }
  expect((await limited.call('POST', '/api/v1/uploads', options)).status).toBe(422)
  const lost = beginForm(limited, person)
  await lost.started
  await lost.send(text.encode(`\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="tag"\r\n\r\n`))
  await lost.cut()
  await expect.poll(() => countReserved(limited, person)).toBe(0)
})

test('a refused file no longer counts', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const content = new FormData()
  content.set('file', new File([], 'empty.mp4', { type: 'video/mp4' }))
  expect((await limited.call('POST', '/api/v1/uploads', { token: person.token, content })).status).toBe(422)
  await expect.poll(() => countReserved(limited, person)).toBe(0)
})
