import { describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { type Person, register, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call } = testContext
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)

function download(person: Person, url: string, headers: Record<string, string> = {}) {
  return call('GET', `/api/v1/uploads/download?url=${encodeURIComponent(url)}`, {
    token: person.token,
    headers,
  })
}

describe('downloading', () => {
  test('streams an upload of the caller as an attachment, whole or in part', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, { ...MP4, filename: 'мій "кліп".mp4', bytes: BYTES })
    const whole = await download(person, url)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-type')).toBe('video/mp4')
    expect(whole.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''/,
    )
    expect(whole.headers.get('content-length')).toBe('100')
    expect(whole.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    for (const [range, content] of [
      ['bytes=0-9', 'bytes 0-9/100'],
      ['bytes=90-', 'bytes 90-99/100'],
      ['bytes=-5', 'bytes 95-99/100'],
      ['bytes=90-1000', 'bytes 90-99/100'],
    ] as const) {
      const part = await download(person, url, { range })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, content])
    }
  })

  test.each([
    'bytes=100-',
    'bytes=1000-2000',
    'bytes=5-2',
    'bytes=-0',
    'bytes=x-y',
    'pages=1-2',
    'bytes=0-1,5-6',
    'bytes=',
    '-',
    'bytes=99999999999999999999-',
  ])('with the range %s never causes a server error', async (range) => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, { ...MP4, bytes: BYTES })
    expect([200, 206, 416]).toContain((await download(person, url, { range })).status)
  })

  test.each([
    ['if-none-match', 'unquoted'],
    ['if-none-match', '*'],
    ['if-none-match', '"a", W/"b"'],
    ['if-match', '"other"'],
    ['if-match', 'unquoted'],
    ['if-modified-since', 'yesterday'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['if-range', '"x"'],
  ])('with the condition %s: %s never causes a server error', async (name, value) => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, { ...MP4, bytes: BYTES })
    expect([200, 304, 412]).toContain((await download(person, url, { [name]: value })).status)
  })

  test.each([
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('ignores the date condition %s, because no date was sent', async (name, value) => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, { ...MP4, bytes: BYTES })
    expect((await download(person, url, { [name]: value })).status).toBe(200)
  })

  test('responds 304 for a known ETag', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, { ...MP4, bytes: BYTES })
    const etag = (await download(person, url)).headers.get('etag') ?? ''
    const again = await download(person, url, { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('refuses files and results of other accounts', async () => {
    const owner = await register(testContext)
    const stranger = await register(testContext)
    const { url } = await upload(testContext, owner, MP4)
    const id = await submit(testContext, owner)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const result = `${publicUrl()}/files/results/${id}/1001/clip.mp4`
    await testContext.deps.storage.put(`results/${id}/1001/clip.mp4`, new Blob(['x']), 'video/mp4')
    expect((await download(owner, result)).status).toBe(200)
    for (const address of [url, result]) {
      const answer = await download(stranger, address)
      expect([answer.status, answer.json.code]).toEqual([404, 'file_not_found'])
    }
  })

  test.each([
    'x',
    'https://elsewhere.example.org/files/uploads/a',
    'file:///etc/passwd',
    `${publicUrl()}/files/%zz`,
  ])('refuses %s', async (url) => {
    const answer = await download(await register(testContext), url)
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_file_url'])
  })

  test.each(['', '?url=', `?url=${'x'.repeat(5000)}`])(
    'refuses a missing or invalid URL: %s',
    async (query) => {
      const { token } = await register(testContext)
      const answer = await call('GET', `/api/v1/uploads/download${query}`, { token })
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', 'url']])
    },
  )
})
