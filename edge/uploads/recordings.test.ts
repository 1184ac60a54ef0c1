import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { completeLink, formOf, makeLink, newCallerHeaders, sendByLink } from '../../test/edge/worker/links.ts'
import { fileUrl, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
/** The type that MediaRecorder reports for a recording. */
const RECORDING = 'video/webm;codecs=vp9,opus'
const DECLARED = { filename: 'recording.webm', content_type: RECORDING, size_bytes: 1000 }
const BARE = { 'Content-Type': 'video/webm' }

const storedType = async (key: string) =>
  (await deps.db.$client.execute({ sql: 'SELECT content_type FROM uploads WHERE key = ?', args: [key] }))
    .rows[0]?.content_type

test.each([
  ['presign', DECLARED],
  ['s3/sign', { ...DECLARED, method: 'PUT' }],
  ['s3/sign', { ...DECLARED, method: 'POST' }],
])(
  '%s signs the type of a recording without its parameters, and returns it as the header',
  async (path, body) => {
    const { token } = await register(testContext)
    const answer = await call('POST', `/api/v1/uploads/${path}`, { token, body })
    const { headers, key } = answer.json as { headers: object; key: string }
    expect(answer.text).not.toContain('codecs')
    expect([headers, await storedType(key)]).toEqual([BARE, 'video/webm'])
  },
)

test('multipart uploads and forms store the type of a recording without its parameters', async () => {
  const { token } = await register(testContext)
  const started = await call('POST', '/api/v1/uploads/multipart/create', { token, body: DECLARED })
  expect([started.status, await storedType(started.json.key)]).toEqual([201, 'video/webm'])
  const form = formOf({ filename: 'r.webm', content_type: RECORDING, bytes: MP4.bytes })
  const sent = await call('POST', '/api/v1/uploads', { token, content: form })
  expect([sent.status, sent.json.content_type]).toEqual([201, 'video/webm'])
  const { headers } = await call('GET', `/files/${sent.json.key}`)
  expect(headers.get('content-type')).toBe('video/webm')
})

test('a link accepts a recording, and its allowed types may have parameters', async () => {
  const person = await register(testContext)
  const link = await makeLink(testContext, person, {
    allowed_mime_types: [RECORDING, 'video/mp4;codecs=avc1'],
  })
  const shown = await call('GET', link.path, { headers: newCallerHeaders() })
  expect(shown.json.allowed_mime_types).toEqual(['video/webm', 'video/mp4'])
  const signed = await call('POST', `${link.path}/presign`, { body: DECLARED, headers: newCallerHeaders() })
  expect([signed.status, signed.json.headers]).toEqual([201, BARE])
  await sendByLink(testContext, link, MP4, { content_type: 'video/mp4; codecs="avc1"' })
  expect((await completeLink(testContext, link)).status).toBe(201)
})

test('a file of an unknown type is served as an attachment of unknown content', async () => {
  const { token } = await register(testContext)
  const body = { filename: 'a.bin', content_type: 'image/x-unknown', size_bytes: 4 }
  const { key } = (await call('POST', '/api/v1/uploads/presign', { token, body })).json
  await deps.storage.put(key, new Blob(['<!do']), 'image/x-unknown')
  for (const path of [`/files/${key}`, `/api/v1/uploads/download?url=${encodeURIComponent(fileUrl(key))}`]) {
    const { status, headers } = await call('GET', path, { token })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test.each(['image/x-scene+xml', 'video/html', 'AUDIO/FOO+XML; charset=utf-8'])(
  'every way to upload refuses the type %s with 415',
  async (content_type) => {
    const { token } = await register(testContext)
    const body = { ...DECLARED, content_type }
    const content = formOf({ filename: 'a.webm', content_type, bytes: MP4.bytes })
    const answers = [
      await call('POST', '/api/v1/uploads/presign', { token, body }),
      await call('POST', '/api/v1/uploads/multipart/create', { token, body }),
      await call('POST', '/api/v1/uploads/s3/sign', { token, body: { ...body, method: 'PUT' } }),
      await call('POST', '/api/v1/uploads', { token, content }),
    ]
    expect(answers.map(({ code }) => code)).toEqual(Array(4).fill('file_type_not_allowed'))
  },
)
