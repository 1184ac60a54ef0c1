import { describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl, type TestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, freshBlock, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  fileUrl,
  makeKey,
  type Person,
  register,
  SUBMISSION,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { uploadQuery } from './queries.ts'

const testContext = makeTestContext()
const { call } = testContext
const PRESIGN = '/api/v1/uploads/presign'
const REQUEST = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 1000 }
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)

function download(person: Person, url: string, headers: Record<string, string> = {}) {
  return call('GET', `/api/v1/uploads/download?url=${encodeURIComponent(url)}`, {
    token: person.token,
    headers,
  })
}

describe('presigning', () => {
  test('signs a PUT of this type and length, for a session, a key or anonymously', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    for (const credential of [{ token: person.token }, { key }, {}]) {
      const { status, json } = await call('POST', PRESIGN, { ...credential, body: REQUEST })
      expect(status).toBe(201)
      expect(json).toMatchObject({ method: 'PUT', headers: { 'Content-Type': 'video/mp4' } })
      expect(json.key).toMatch(/^uploads\/[0-9a-f-]{36}\/clip\.mp4$/)
      expect(json.url).toBe(`${publicUrl()}/files/${json.key}`)
      const signed = new URL(json.put_url).searchParams
      expect(signed.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host;x-amz-copy-source')
      expect(signed.get('X-Amz-Expires')).toBe('21600')
    }
  })

  test('signs nothing beyond the expiry of the upload, so that no file returns after its removal', async () => {
    const limited = await makeLimitedContext({ files_live_hours_free: 1 })
    const { token } = await register(limited)
    const { json } = await limited.call('POST', PRESIGN, { token, body: REQUEST })
    expect(new URL(json.put_url).searchParams.get('X-Amz-Expires')).toBe('3600')
    expect(Date.parse(json.expires_at)).toBe(limited.clock.now + 3_600_000)
  })

  test.each<[string, object]>([
    ['presign', { open_upload_gb_max_free: 1 }],
    ['multipart/create', { open_upload_gb_max_free: 1 }],
  ])('by %s: of concurrently declared uploads, exactly those within the limit pass', async (path, limit) => {
    const limited = await makeLimitedContext(limit)
    const { token } = await register(limited)
    const half = { ...REQUEST, size_bytes: 512 * 1024 ** 2 }
    const open = () => limited.call('POST', `/api/v1/uploads/${path}`, { token, body: half })
    const answers = await Promise.all(Array.from({ length: 8 }, open))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.code).toBe('too_many_open_uploads')
    expect((await open()).headers.get('retry-after')).toBe(String(24 * 60 * 60))
    const stranger = await register(limited)
    const elsewhere = { token: stranger.token, body: half }
    expect((await limited.call('POST', `/api/v1/uploads/${path}`, elsewhere)).status).toBe(201)
  })

  test.each(['presign', 'multipart/create'])('by %s: a retry with the same key counts once', async (path) => {
    const limited = await makeLimitedContext({ open_upload_gb_max_free: 1, open_upload_gb_max_anonymous: 1 })
    const { token } = await register(limited)
    const body = { ...REQUEST, size_bytes: 1024 ** 3 }
    const id = { 'cf-connecting-ip': freshAddress(), 'x-anonymous-id': crypto.randomUUID() }
    for (const [credential, own] of [
      [{ token }, {}],
      [{}, id],
    ] as const) {
      const open = (key: string) => {
        const headers = { ...own, 'idempotency-key': key }
        return limited.call('POST', `/api/v1/uploads/${path}`, { ...credential, headers, body })
      }
      const first = await open('one')
      const again = await open('one')
      expect([first.status, again.status, (await open('two')).status]).toEqual([201, 201, 429])
      expect([again.json, again.headers.get('idempotency-replayed')]).toEqual([first.json, 'true'])
      expect((await open('two')).status).toBe(429)
    }
  })

  test('counts the anonymous uploads of an IPv6 /48 together, with 16 times the limit', async () => {
    const limited = await makeLimitedContext({ uploads_per_day_anonymous: 1 })
    const from = (address: string) =>
      limited.call('POST', PRESIGN, { body: REQUEST, headers: { 'cf-connecting-ip': address } })
    const [last = '', ...others] = freshBlock(17)
    for (const address of others) expect((await from(address)).status).toBe(201)
    const refused = await from(last)
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_uploads'])
    expect((await from(freshAddress())).status).toBe(201)
  })

  test('counts uploads of an anonymous caller by address, whatever its X-Anonymous-Id', async () => {
    const limited = await makeLimitedContext({ open_upload_gb_max_anonymous: 1 })
    const open = (address: string) =>
      limited.call('POST', PRESIGN, {
        body: { ...REQUEST, size_bytes: 1024 ** 3 },
        headers: { 'cf-connecting-ip': address, 'x-anonymous-id': crypto.randomUUID() },
      })
    const [here, there] = [freshAddress(), freshAddress()]
    const answers = [await open(here), await open(here), await open(there)]
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 201])
  })

  test('counts neither uploads that a job has read nor expired ones', async () => {
    const limited = await makeLimitedContext({ open_upload_gb_max_free: 1 })
    const person = await register(limited)
    const { token } = person
    const whole = () => limited.call('POST', PRESIGN, { token, body: { ...REQUEST, size_bytes: 1024 ** 3 } })
    const { key } = (await whole()).json
    expect((await whole()).status).toBe(429)
    await limited.deps.db.$client.execute({
      sql: 'UPDATE uploads SET used_at = 1 WHERE key = ?',
      args: [key],
    })
    expect((await whole()).status).toBe(201)
    expect((await whole()).status).toBe(429)
    limited.clock.now += 25 * 60 * 60 * 1000
    expect((await whole()).status).toBe(201)
  })

  test.each([
    ['../../../etc/passwd', /\/etc_passwd$/],
    ['відео.mp4', /\/відео\.mp4$/],
    [`a${'𠀀'.repeat(100)}.mp4`, /^uploads\/[^/]+\/a[^/]+\.mp4$/u],
    ['a\u0000b.mp4', /\/a_b\.mp4$/],
    ['.', /\/file$/],
    ['x'.repeat(255), /\/x{120}$/],
  ])('creates a safe key from the name %j', async (filename, key) => {
    const { status, json } = await call('POST', PRESIGN, { body: { ...REQUEST, filename } })
    expect([status, key.test(json.key)]).toEqual([201, true])
  })

  test('stores the name without control characters, like form uploads', async () => {
    const { json } = await call('POST', PRESIGN, { body: { ...REQUEST, filename: 'a\u0000\nb.mp4' } })
    const [stored] = await uploadQuery(testContext.deps.db, json.key)
    expect(stored?.filename).toBe('ab.mp4')
  })

  test.each([
    [{ size_bytes: 5 * 1024 ** 3 + 1 }, 413, 'file_too_large'],
    [{ size_bytes: Number.MAX_SAFE_INTEGER }, 413, 'file_too_large'],
    [{ content_type: 'text/html' }, 415, 'file_type_not_allowed'],
    [{ content_type: 'image/svg+xml' }, 415, 'file_type_not_allowed'],
  ])('refuses %j', async (changed, status, code) => {
    const answer = await call('POST', PRESIGN, { body: { ...REQUEST, ...changed } })
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  test.each([
    [{ filename: '' }, 'filename'],
    [{ filename: ' ' }, 'filename'],
    [{ filename: 'x'.repeat(256) }, 'filename'],
    [{ filename: null }, 'filename'],
    [{ content_type: 'video' }, 'content_type'],
    [{ content_type: 'video/mp4\r\nX-Evil: 1' }, 'content_type'],
    [{ content_type: `video/${'x'.repeat(200)}` }, 'content_type'],
    [{ size_bytes: 0 }, 'size_bytes'],
    [{ size_bytes: -1 }, 'size_bytes'],
    [{ size_bytes: 1.5 }, 'size_bytes'],
    [{ size_bytes: '1000' }, 'size_bytes'],
    [{ size_bytes: 1e300 }, 'size_bytes'],
  ])('refuses the malformed %j', async (changed, field) => {
    const answer = await call('POST', PRESIGN, { body: { ...REQUEST, ...changed } })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('with an invalid credential is 401 instead of anonymous', async () => {
    for (const credential of [{ token: 'a.b.c' }, { key: 'mk_unknown' }]) {
      expect((await call('POST', PRESIGN, { ...credential, body: REQUEST })).status).toBe(401)
    }
  })
})

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

describe('an expired file', () => {
  const DAY_MS = 24 * 60 * 60 * 1000

  /** Returns the statuses of every way to read a file: GET and HEAD of its URL, and its download as an attachment. */
  async function statusesOf({ open }: TestContext, { token }: Person, url: string): Promise<number[]> {
    const path = url.slice(publicUrl().length)
    const attached = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    const answers = [open('GET', path), open('HEAD', path), open('GET', attached, { token })]
    return Promise.all(
      answers.map(async (answer) => {
        const { body, status } = await answer
        await body?.cancel()
        return status
      }),
    )
  }

  test('is refused by every route on time, even while storage still has it', async () => {
    const limited = await makeLimitedContext()
    const { clock, deps } = limited
    const person = await register(limited)
    const sent = await upload(limited, person, MP4)
    clock.now += 1000
    const id = await submit(limited, person)
    await report(limited, finished(id, doneOutcome(id, 1)))
    const key = `results/${id}/1001/clip.mp4`
    await deps.storage.put(key, new Blob(['bytes']), 'video/mp4')
    const statuses = async () => [
      await statusesOf(limited, person, sent.url),
      await statusesOf(limited, person, fileUrl(key)),
    ]
    const [open, over] = [Array(3).fill(200), Array(3).fill(404)]
    clock.now += DAY_MS - 1001
    expect(await statuses()).toEqual([open, open])
    clock.now += 1
    expect(await statuses()).toEqual([over, open])
    clock.now += 1000
    expect(await statuses()).toEqual([over, over])
    for (const kept of [sent.key, key]) expect(await deps.env.BUCKET.head(kept)).not.toBeNull()
    const { code } = await limited.call('GET', `/files/${key}`)
    expect(code).toBe('file_not_found')
  })

  test('is served for as long as it was promised to a job', async () => {
    const limited = await makeLimitedContext()
    const person = await register(limited)
    const { url } = await upload(limited, person, MP4)
    limited.clock.now += DAY_MS - 1
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect((await limited.call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
    limited.clock.now += 60 * 60 * 1000
    expect(await statusesOf(limited, person, url)).toEqual([200, 200, 200])
  })

  test('is not served when a later attempt superseded it', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const left = `results/${id}/1000/clip.mp4`
    await testContext.deps.storage.put(left, new Blob(['bytes']), 'video/mp4')
    expect(await statusesOf(testContext, person, fileUrl(left))).toEqual([404, 404, 404])
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await statusesOf(testContext, person, fileUrl(left))).toEqual([404, 404, 404])
  })
})

describe('the URL of a file', () => {
  test('is sufficient to read it, and its content cannot run scripts on this site', async () => {
    const { url, key } = await upload(testContext, null, { ...MP4, bytes: BYTES })
    const answer = await call('GET', url.slice(publicUrl().length))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    })
    const head = await call('HEAD', `/files/${key}`)
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test("is served with the service's own headers, whatever headers were stored", async () => {
    const { url, key } = await upload(testContext, null, MP4)
    const stored = {
      contentType: 'video/mp4',
      cacheControl: 'public, max-age=99',
      contentDisposition: 'inline; filename=x.html',
      contentEncoding: 'gzip',
    }
    await testContext.deps.env.BUCKET.put(key, BYTES, { httpMetadata: stored })
    const { headers } = await call('GET', url.slice(publicUrl().length))
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-disposition')).toMatch(/clip\.mp4/)
    expect(headers.get('content-encoding')).toBeNull()
  })

  test.each([
    '/files/',
    '/files/uploads',
    '/files/uploads/none/a.mp4',
    '/files/secrets/a',
    '/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/files/%zz',
    '/files/uploads/%ED%A0%80',
    '/files/uploads/%00',
    `/files/uploads/${'x'.repeat(2000)}`,
    '/files/uploads//',
  ])('%s is 404', async (path) => {
    const answer = await call('GET', path)
    expect([answer.status, answer.headers.has('x-request-id')]).toEqual([404, true])
  })
})
