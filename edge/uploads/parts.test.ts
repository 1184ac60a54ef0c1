import { describe, expect, test } from 'vitest'
import { eventually, makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { MP4, PNG } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext, remainingOf } from '../../test/edge/worker/limited-context.ts'
import { makeKey, type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { loadSettings } from '../settings/queries.ts'
import { abortUnusedUploads } from './abort-unused.ts'
import { openBytesQuery } from './queries.ts'

const testContext = makeTestContext()
const { call } = testContext
const MIB = 1024 ** 2
const PATH = '/api/v1/uploads/multipart'
const REQUEST = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 11 * MIB }

interface Options {
  token?: string
  key?: string
  headers?: Record<string, string>
}
interface Begun {
  upload_id: string
  key: string
  part_size: number
  part_count: number
  expires_at: string
}

const as = (person: Person): Options => ({ token: person.token })

async function begin(options: Options, request = REQUEST): Promise<Begun> {
  const answer = await call('POST', `${PATH}/create`, { ...options, body: request })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

const sign = ({ upload_id, key }: Begun, part_number: number, options: Options) =>
  call('POST', `${PATH}/sign-part`, { ...options, body: { upload_id, key, part_number } })

const abort = ({ upload_id, key }: Begun, options: Options) =>
  call('POST', `${PATH}/abort`, { ...options, body: { upload_id, key } })

type Parts = { part_number: number; etag: string }[]

const complete = ({ upload_id, key }: Begun, parts: Parts, options: Options) =>
  call('POST', `${PATH}/complete`, { ...options, body: { upload_id, key, parts } })

/** Stores parts the way PUTs to their signed URLs do. The first part starts with the bytes of a real file. */
async function putParts({ upload_id, key }: Begun, sizes: number[], head = MP4.bytes): Promise<Parts> {
  const upload = testContext.deps.env.BUCKET.resumeMultipartUpload(key, upload_id)
  const parts: Parts = []
  for (const [index, size] of sizes.entries()) {
    const bytes = new Uint8Array(size)
    if (index === 0) bytes.set(head)
    const { etag } = await upload.uploadPart(index + 1, bytes)
    parts.push({ part_number: index + 1, etag })
  }
  return parts
}

const WHOLE = [5 * MIB, 5 * MIB, 1 * MIB]

describe('creating a multipart upload', () => {
  test('splits the declared size into equal parts except the last, for a session, a key or anonymously', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    for (const credential of [{ token: person.token }, { key }, {}]) {
      const begun = await begin(credential)
      expect(begun).toMatchObject({ part_size: 5 * MIB, part_count: 3 })
      expect(begun.key).toMatch(/^uploads\/[0-9a-f-]{36}\/clip\.mp4$/)
      expect(Date.parse(begun.expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    }
    const large = await begin(as(person), { ...REQUEST, size_bytes: 5 * 1024 ** 3 })
    expect(large).toMatchObject({ part_size: 103 * MIB, part_count: 50 })
  })

  test.each([
    [{ size_bytes: 5 * 1024 ** 3 + 1 }, 413, 'file_too_large'],
    [{ content_type: 'text/html' }, 415, 'file_type_not_allowed'],
  ])('refuses %j', async (changed, status, code) => {
    const answer = await call('POST', `${PATH}/create`, { body: { ...REQUEST, ...changed } })
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  test.each([
    [{ filename: '' }, 'filename'],
    [{ content_type: 'video' }, 'content_type'],
    [{ size_bytes: 0 }, 'size_bytes'],
    [{ size_bytes: 1.5 }, 'size_bytes'],
  ])('refuses the malformed %j', async (changed, field) => {
    const answer = await call('POST', `${PATH}/create`, { body: { ...REQUEST, ...changed } })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('counts nothing a minute after storage failed to create it', async () => {
    const limited = await makeLimitedContext()
    const { id, token } = await register(limited)
    const { deps, clock } = limited
    const create = () => limited.call('POST', `${PATH}/create`, { token, body: REQUEST })
    const open = async () => (await openBytesQuery(deps.db, { accountId: id }, clock.now))[0]?.bytes
    const original = deps.storage.parts.create
    deps.storage.parts.create = () => Promise.reject(new Error('storage is down'))
    expect((await create()).status).toBe(500)
    deps.storage.parts.create = original
    clock.now += 60_000
    expect(await open()).toBe(0)
    expect((await create()).status).toBe(201)
    clock.now += 23 * 60 * 60_000
    expect(await open()).toBe(REQUEST.size_bytes)
  })

  test('is the only call that counts against the anonymous quota', async () => {
    const limited = await makeLimitedContext({ uploads_per_day_anonymous: 1 })
    const headers = { 'cf-connecting-ip': freshAddress() }
    const first = await limited.call('POST', `${PATH}/create`, { headers, body: REQUEST })
    expect(first.status).toBe(201)
    for (const part of [1, 2, 3]) {
      const body = { upload_id: first.json.upload_id, key: first.json.key, part_number: part }
      expect((await limited.call('POST', `${PATH}/sign-part`, { headers, body })).status).toBe(200)
    }
    const parts = await putParts(first.json, WHOLE)
    const body = { upload_id: first.json.upload_id, key: first.json.key, parts }
    expect((await limited.call('POST', `${PATH}/complete`, { headers, body })).status).toBe(201)
    const second = await limited.call('POST', `${PATH}/create`, { headers, body: REQUEST })
    expect([second.status, Number(second.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(second.json.code).toBe('too_many_uploads')
  })
})

describe('signing a part', () => {
  test('signs its length from the declared size, as often as requested', async () => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    for (const part_number of [1, 3, 3]) {
      const { status, json } = await sign(begun, part_number, as(person))
      expect([status, json.headers]).toEqual([200, {}])
      const signed = new URL(json.put_url)
      expect(decodeURIComponent(signed.pathname)).toMatch(new RegExp(`/${begun.key}$`))
      expect(Object.fromEntries(signed.searchParams)).toMatchObject({
        partNumber: String(part_number),
        uploadId: begun.upload_id,
        'X-Amz-SignedHeaders': 'content-length;host;x-amz-copy-source',
        'X-Amz-Expires': '3600',
      })
      expect(Date.parse(json.expires_at) - Date.now()).toBeGreaterThan(3_500_000)
    }
  })

  test('never signs beyond the expiry of the upload', async () => {
    const limited = await makeLimitedContext({ files_live_hours_free: 1 })
    const person = await register(limited)
    const begun = (await limited.call('POST', `${PATH}/create`, { ...as(person), body: REQUEST })).json
    expect(Date.parse(begun.expires_at)).toBe(limited.clock.now + 3_600_000)
    limited.clock.now += 3_590_000
    await loadSettings(limited.deps.db, limited.clock.now)
    const body = { upload_id: begun.upload_id, key: begun.key, part_number: 1 }
    const late = await limited.call('POST', `${PATH}/sign-part`, { ...as(person), body })
    expect(new URL(late.json.put_url).searchParams.get('X-Amz-Expires')).toBe('10')
    limited.clock.now += 10_000
    expect((await limited.call('POST', `${PATH}/sign-part`, { ...as(person), body })).status).toBe(404)
  })

  test.each([0, 4, 10_000, 10_001, 1.5, -1])('refuses part %d, beyond the declared size', async (number) => {
    const person = await register(testContext)
    const answer = await sign(await begin(as(person)), number, as(person))
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'part_number']])
  })

  test('has a limit of its own per address, separate from the limits of the caller', async () => {
    const settings = { sign_parts_per_minute_per_ip: 20, requests_per_minute_free: 5 }
    const limited = await makeLimitedContext(settings)
    const person = await register(limited)
    const begun = (await limited.call('POST', `${PATH}/create`, { ...as(person), body: REQUEST })).json
    const body = { upload_id: begun.upload_id, key: begun.key, part_number: 1 }
    const address = freshAddress()
    const signFrom = (ip: string) =>
      limited.call('POST', `${PATH}/sign-part`, { ...as(person), headers: { 'cf-connecting-ip': ip }, body })
    const answers = await Promise.all(Array.from({ length: 25 }, () => signFrom(address)))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([20, 5])
    expect(refused[0]?.json.code).toBe('rate_limited')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await signFrom(freshAddress())
    expect([other.status, remainingOf(other, 'minute')]).toEqual([200, 19])
  })
})

describe('completing a multipart upload', () => {
  test('creates a file that jobs can use, and a repetition gets the same response', async () => {
    const person = await register(testContext)
    const begun = await begin(as(person), { ...REQUEST, filename: 'моє кіно.mp4' })
    const parts = await putParts(begun, WHOLE)
    const first = await complete(begun, parts, as(person))
    expect(first.status, first.text).toBe(201)
    expect(first.json).toMatchObject({
      method: 'PUT',
      put_url: '',
      headers: { 'Content-Type': 'video/mp4' },
      key: begun.key,
    })
    const again = await complete(begun, parts, as(person))
    expect([again.status, again.json]).toEqual([201, first.json])
    const body = { ...SUBMISSION, params: { file_url: first.json.url } }
    expect((await call('POST', '/api/v1/jobs', { ...as(person), body })).status).toBe(201)
    const download = await call('GET', `/api/v1/uploads/download?url=${encodeURIComponent(first.json.url)}`, {
      ...as(person),
      headers: { range: `bytes=0-${MP4.bytes.length - 1}` },
    })
    expect([download.status, download.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-${MP4.bytes.length - 1}/${11 * MIB}`,
    ])
    expect(download.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('моє_кіно.mp4')}`,
    )
    expect((await sign(begun, 1, as(person))).status).toBe(409)
    expect((await abort(begun, as(person))).status).toBe(204)
    expect(await testContext.deps.storage.peek(begun.key, 1)).not.toBeNull()
  })

  test('concurrently returns the same response to all', async () => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    const parts = await putParts(begun, WHOLE)
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(begun, parts, as(person))))
    expect(answers.map(({ status, json }) => [status, json.url])).toEqual(
      Array(5).fill([201, `${publicUrl()}/files/${begun.key}`]),
    )
    const events = await call('GET', '/api/v1/me/usage', as(person))
    expect(events.json).toMatchObject([{ action: 'upload', source: 'web' }])
  })

  test('continues when storage had assembled the parts but the response was lost', async () => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    const parts = await putParts(begun, WHOLE)
    expect(await testContext.deps.storage.parts.complete(begun.key, begun.upload_id, parts)).toBe('done')
    expect((await complete(begun, parts, as(person))).status).toBe(201)
  })

  test('accepts quoted ETags', async () => {
    const begun = await begin({})
    const parts = (await putParts(begun, WHOLE)).map((part) => ({ ...part, etag: `"${part.etag}"` }))
    expect((await complete(begun, parts, {})).status).toBe(201)
  })

  test.each([
    ['a missing part', (parts: Parts) => parts.slice(0, 2), 'parts_missing'],
    ['an extra part', (parts: Parts) => [...parts, ...parts.slice(2)], 'too_many_parts'],
    ['another order', (parts: Parts) => parts.toReversed(), 'parts_out_of_order'],
    [
      'the ETag of another part',
      (parts: Parts) => parts.map((part) => ({ ...part, etag: 'f'.repeat(32) })),
      'part_mismatch',
    ],
  ])('with %s is 400, and can be corrected', async (_what, change, code) => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    const parts = await putParts(begun, WHOLE)
    const answer = await complete(begun, change(parts), as(person))
    expect([answer.status, answer.json.code]).toEqual([400, code])
    expect((await complete(begun, parts, as(person))).status).toBe(201)
  })

  test.each([
    ['too short', [5 * MIB, 5 * MIB, MIB - 1], MP4.bytes, 400, 'file_truncated'],
    ['too long', [5 * MIB, 5 * MIB, 2 * MIB], MP4.bytes, 413, 'file_larger_than_declared'],
    ['an image', WHOLE, PNG.bytes, 415, 'file_type_mismatch'],
  ] as const)('a file that is %s is refused and removed', async (_what, sizes, head, status, code) => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    const parts = await putParts(begun, [...sizes], head)
    const answer = await complete(begun, parts, as(person))
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect(await testContext.deps.storage.peek(begun.key, 1)).toBeNull()
    expect((await complete(begun, parts, as(person))).status).toBe(404)
  })

  test.each([
    [{ parts: [] }, 'parts'],
    [{ parts: [{ part_number: 1 }] }, 'parts'],
    [{ parts: [{ part_number: 0, etag: 'x' }] }, 'parts'],
    [{ parts: [{ part_number: 1, etag: 'x"y' }] }, 'parts'],
    [{ parts: [{ part_number: 1, etag: '\r\n' }] }, 'parts'],
    [{ upload_id: '' }, 'upload_id'],
    [{ key: 7 }, 'key'],
  ])('refuses the malformed %j', async (changed, field) => {
    const body = { upload_id: 'x', key: 'uploads/x', parts: [{ part_number: 1, etag: 'x' }], ...changed }
    const answer = await call('POST', `${PATH}/complete`, { body })
    expect([answer.status, answer.faults[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
  })
})

describe('aborting a multipart upload', () => {
  test('removes the upload and its parts', async () => {
    const person = await register(testContext)
    const begun = await begin(as(person))
    const parts = await putParts(begun, [5 * MIB])
    const answer = await abort(begun, as(person))
    expect([answer.status, answer.text]).toEqual([204, ''])
    await testContext.settled()
    expect(await testContext.deps.storage.parts.complete(begun.key, begun.upload_id, parts)).toBe('unknown')
    expect((await sign(begun, 1, as(person))).status).toBe(404)
    expect((await abort(begun, as(person))).status).toBe(204)
  })

  test('that does not exist is 204', async () => {
    const body = { upload_id: 'none', key: 'uploads/none/a.mp4' }
    expect((await call('POST', `${PATH}/abort`, { body })).status).toBe(204)
  })
})

describe('a multipart upload', () => {
  const id = () => ({ 'x-anonymous-id': crypto.randomUUID() })
  const from = (address: string, more = {}): Options => ({
    headers: { 'cf-connecting-ip': address, ...more },
  })

  test('is accessible only to its account, address or anonymous id', async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const [here, there, mine] = [freshAddress(), freshAddress(), id()]
    for (const [owner, others] of [
      [as(person), [as(stranger), {}, from(here)]],
      [from(here), [from(there), as(person), from(there, id())]],
      [from(here, mine), [from(here), from(here, id()), from(there)]],
    ] as const) {
      const begun = await begin(owner)
      const parts = await putParts(begun, WHOLE)
      for (const other of others) {
        expect((await sign(begun, 1, other)).status).toBe(404)
        expect((await complete(begun, parts, other)).status).toBe(404)
        expect((await abort(begun, other)).status).toBe(204)
      }
      await testContext.settled()
      expect((await sign(begun, 1, owner)).status).toBe(200)
      expect((await complete(begun, parts, owner)).status).toBe(201)
    }
  })

  test('is accessible by its anonymous id from another address', async () => {
    const mine = id()
    const begun = await begin(from(freshAddress(), mine))
    expect((await sign(begun, 1, from(freshAddress(), mine))).status).toBe(200)
  })

  test('with an invalid credential is 401', async () => {
    const begun = await begin({})
    for (const credential of [{ token: 'a.b.c' }, { key: 'mk_unknown' }])
      expect((await sign(begun, 1, credential)).status).toBe(401)
  })
})

describe('expired multipart uploads', () => {
  const expire = async (begun: Begun) => {
    const sql = 'UPDATE part_uploads SET expires_at = 1 WHERE key = ?'
    await testContext.deps.db.$client.execute({ sql, args: [begun.key] })
  }

  test('are aborted when incomplete; complete ones stay', async () => {
    const person = await register(testContext)
    const [unused, used] = [await begin(as(person)), await begin(as(person))]
    const parts = await putParts(unused, WHOLE)
    const { json } = await complete(used, await putParts(used, WHOLE), as(person))
    await expire(unused)
    await expire(used)
    expect((await complete(unused, parts, as(person))).status).toBe(404)
    await eventually('the unused upload to be gone', async () => {
      await abortUnusedUploads(testContext.deps)
      const args = [unused.key]
      const sql =
        'SELECT key FROM part_uploads WHERE key = ? UNION ALL SELECT key FROM uploads WHERE key = ?1'
      return (await testContext.deps.db.$client.execute({ sql, args })).rows.length === 0
    })
    expect(await testContext.deps.storage.parts.complete(unused.key, unused.upload_id, parts)).toBe('unknown')
    const body = { ...SUBMISSION, params: { file_url: json.url } }
    expect((await call('POST', '/api/v1/jobs', { ...as(person), body })).status).toBe(201)
  })
})
