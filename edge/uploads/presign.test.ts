import { describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { freshAddress, freshBlock, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { uploadQuery } from './queries.ts'

const testContext = makeTestContext()
const { call } = testContext
const PRESIGN = '/api/v1/uploads/presign'
const REQUEST = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 1000 }

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
      sql: 'UPDATE uploads SET uses = 1 WHERE key = ?',
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
    [{ content_type: 'image/x-xcf' }, 415, 'file_type_not_allowed'],
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
