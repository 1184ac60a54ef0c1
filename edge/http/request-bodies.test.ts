import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext
const CHUNK = new Uint8Array(64 * 1024).fill(32)
const MEBIBYTE = 16

/** Creates a body with the given number of chunks and counts how many are read. */
function countedBody(chunks: number, first: Uint8Array = CHUNK) {
  let read = 0
  const content = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (read === chunks) return controller.close()
      controller.enqueue(read === 0 ? first : CHUNK)
      read += 1
    },
  })
  return { content, countRead: () => read }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const declared = (chunks: number) => ({ 'content-length': String(chunks * CHUNK.length) })
const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=edge' }
const field = (name: string, value: string) =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const LINK_FORM = new TextEncoder().encode(
  `${field('service_slug', 'video')}${field('operation_key', 'link_info')}--edge\r\n` +
    'Content-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
)

test.each([
  ['without credentials', '/api/v1/jobs', 401, { ...JSON_TYPE, ...declared(8) }, 8],
  ['at an unknown path', '/api/v1/nothing', 404, { ...JSON_TYPE, ...declared(8) }, 8],
  ['of an unsupported type', '/api/v1/auth/login', 415, { 'content-type': 'text/plain', ...declared(8) }, 8],
  ['above the limit', '/api/v1/auth/login', 413, JSON_TYPE, 2 * MEBIBYTE],
  ['as large as the platform allows', '/api/v1/auth/login', 413, JSON_TYPE, 120 * MEBIBYTE],
  ['declared above the limit', '/api/v1/auth/login', 413, { ...JSON_TYPE, ...declared(32) }, 2 * MEBIBYTE],
  ['of an upload that is not a form', '/api/v1/uploads', 422, { 'content-type': 'text/plain' }, 2 * MEBIBYTE],
  ['of a refused form', '/api/v1/jobs/upload', 400, FORM_TYPE, 2 * MEBIBYTE],
])('a body %s is read to its end before the response', async (_what, path, status, headers, chunks) => {
  const { token } = await register(testContext)
  const { content, countRead } = countedBody(chunks, headers === FORM_TYPE ? LINK_FORM : CHUNK)
  const credential = status === 401 ? {} : { token }
  const answer = await call('POST', path, { ...credential, content, headers })
  expect([answer.status, countRead()]).toEqual([status, chunks])
})

test('an endless body gets a response after a bounded part', async () => {
  const { content, countRead } = countedBody(Number.POSITIVE_INFINITY)
  const answer = await call('POST', '/api/v1/auth/login', { content, headers: JSON_TYPE })
  expect(answer.status).toBe(413)
  expect(countRead()).toBeLessThan(130 * MEBIBYTE)
})

test('a stalled body gets a response after a timeout', async () => {
  const content = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(CHUNK) })
  const headers = { ...JSON_TYPE, ...declared(2) }
  expect((await call('POST', '/api/v1/nothing', { content, headers })).status).toBe(404)
}, 30_000)
