import { describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { MP4, PNG } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { abortUnusedUploads } from './abort-unused.ts'
import { createClientUpload } from './create-client-upload.ts'

const testContext = makeTestContext()
const { call } = testContext
const MIB = 1024 ** 2
const PATH = '/api/v1/uploads/s3/sign'
const FILM = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 11 * MIB }
const NEW_FILM = { method: 'POST', key: 'proposed by the client', ...FILM }

interface Options {
  token?: string
  headers?: Record<string, string>
}

const as = (person: Person): Options => ({ token: person.token })
const sign = (body: object, options: Options = {}) => call('POST', PATH, { ...options, body })
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

async function start(
  options: Options,
  request: object = NEW_FILM,
): Promise<{ key: string; file_url: string }> {
  const answer = await sign(request, options)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

/** Creates an upload at storage as a client with the signed URL would, and returns the upload id. */
async function createAtStorage(key: string): Promise<string> {
  const { BUCKET } = testContext.deps.env
  return (await BUCKET.createMultipartUpload(key, { httpMetadata: { contentType: 'video/mp4' } })).uploadId
}

/** Sends parts and completes the upload as a client with signed URLs would. */
async function finishAtStorage(key: string, upload_id: string, sizes: number[], head = MP4.bytes) {
  const upload = testContext.deps.env.BUCKET.resumeMultipartUpload(key, upload_id)
  const parts: R2UploadedPart[] = []
  for (const [index, size] of sizes.entries()) {
    const bytes = new Uint8Array(size)
    if (index === 0) bytes.set(head)
    parts.push(await upload.uploadPart(index + 1, bytes))
  }
  await upload.complete(parts)
}

const submit = (person: Person, file_url: string) =>
  call('POST', '/api/v1/jobs', { ...as(person), body: { ...SUBMISSION, params: { file_url } } })

describe('signing a new upload', () => {
  test('in parts signs its creation under a key of this service, with the declared type', async () => {
    const answer = await sign(NEW_FILM, as(await register(testContext)))
    const { url, key, headers, file_url, part_size, part_count } = answer.json
    expect(answer.status).toBe(200)
    expect(key).toMatch(/^uploads\/[0-9a-f-]{36}\/clip\.mp4$/)
    expect([headers, part_size, part_count]).toEqual([{ 'Content-Type': 'video/mp4' }, 5 * MIB, 3])
    expect(file_url).toBe(`${publicUrl()}/files/${key}`)
    expect(decodeURIComponent(new URL(url).pathname)).toMatch(new RegExp(`/${key}$`))
    expect(queryOf(url)).toMatchObject({
      uploads: '',
      'X-Amz-SignedHeaders': 'content-type;host',
      'X-Amz-Expires': '900',
    })
  })

  test('with a single PUT signs its type and size', async () => {
    const answer = await sign({ ...NEW_FILM, method: 'PUT' }, as(await register(testContext)))
    const { url, key, headers, part_size } = answer.json
    expect([answer.status, headers, part_size]).toEqual([200, { 'Content-Type': 'video/mp4' }, undefined])
    expect(decodeURIComponent(new URL(url).pathname)).toMatch(new RegExp(`/${key}$`))
    expect(queryOf(url)['X-Amz-SignedHeaders']).toBe('content-length;content-type;host;x-amz-copy-source')
  })

  test('cuts parts of the size that the client asks for', async () => {
    const person = await register(testContext)
    const { json } = await sign({ ...NEW_FILM, part_size: 6 * MIB }, as(person))
    expect([json.part_size, json.part_count]).toEqual([6 * MIB, 2])
  })

  test('repeated with the same Idempotency-Key returns the same upload', async () => {
    const options = { ...as(await register(testContext)), headers: { 'idempotency-key': 'one' } }
    for (const method of ['POST', 'PUT']) {
      const headers = { 'idempotency-key': method }
      const first = await start({ ...options, headers }, { ...NEW_FILM, method })
      expect(await start({ ...options, headers }, { ...NEW_FILM, method })).toEqual(first)
    }
  })

  test.each([
    [{ size_bytes: 5 * 1024 ** 3 + 1 }, 413, 'file_too_large'],
    [{ content_type: 'text/html' }, 415, 'file_type_not_allowed'],
  ])('refuses %j', async (changed, status, code) => {
    for (const method of ['POST', 'PUT']) {
      const answer = await sign({ ...NEW_FILM, method, ...changed })
      expect([answer.status, answer.json.code]).toEqual([status, code])
    }
  })

  test.each([
    [{ size_bytes: 0 }, 'size_bytes'],
    [{ size_bytes: undefined }, 'filename'],
    [{ content_type: 'video' }, 'content_type'],
    [{ part_size: 5 * MIB - 1 }, 'part_size'],
    [{ part_number: 1 }, 'part_number'],
    [{ method: 'GET' }, 'upload_id'],
    [{ method: 'PATCH' }, 'method'],
  ])('refuses the malformed %j', async (changed, field) => {
    const answer = await sign({ ...NEW_FILM, ...changed })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('refuses more parts than S3 allows', async () => {
    const deps = { ...testContext.deps, env: { ...testContext.deps.env, MAX_UPLOAD_GB: 100 } }
    const request = { call: 'create' as const, ...FILM, size_bytes: 60 * 1024 ** 3, part_size: 5 * MIB }
    const caller = { kind: 'anonymous' as const, account: null, owner_keys: ['o'], address_key: 'a' }
    const refused = createClientUpload(deps, caller, request, 'subject', () => [])
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('counts against the anonymous quota, and later calls do not', async () => {
    const limited = await makeLimitedContext({ uploads_per_day_anonymous: 1 })
    const headers = { 'cf-connecting-ip': freshAddress() }
    const first = await limited.call('POST', PATH, { headers, body: NEW_FILM })
    const { key } = first.json
    for (const part_number of [1, 2]) {
      const body = { method: 'PUT', key, upload_id: 'mine', part_number }
      expect((await limited.call('POST', PATH, { headers, body })).status).toBe(200)
    }
    for (const method of ['POST', 'PUT']) {
      const second = await limited.call('POST', PATH, { headers, body: { ...NEW_FILM, method } })
      expect([second.status, second.json.code]).toEqual([429, 'too_many_uploads'])
    }
  })

  test('has a limit of its own per address', async () => {
    const limited = await makeLimitedContext({ sign_parts_per_minute_per_ip: 3 })
    const headers = { 'cf-connecting-ip': freshAddress() }
    const body = { method: 'GET', key: 'uploads/x/a.mp4', upload_id: 'u' }
    const send = () => limited.call('POST', PATH, { headers, body })
    const statuses = [await send(), await send(), await send(), await send()].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })
})

describe('signing a call on an upload in parts', () => {
  test('signs exactly that call', async () => {
    const person = await register(testContext)
    const { key } = await start(as(person))
    const named = { key, upload_id: await createAtStorage(key) }
    const part = await sign({ method: 'PUT', ...named, part_number: 3 }, as(person))
    expect(queryOf(part.json.url)).toMatchObject({
      partNumber: '3',
      uploadId: named.upload_id,
      'X-Amz-SignedHeaders': 'content-length;host;x-amz-copy-source',
    })
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, json } = await sign({ method, ...named }, as(person))
      expect([status, json.headers, json.key]).toEqual([200, {}, key])
      expect(queryOf(json.url)).toMatchObject({ uploadId: named.upload_id, 'X-Amz-SignedHeaders': 'host' })
    }
  })

  test('refuses a part beyond the declared size', async () => {
    const person = await register(testContext)
    const { key } = await start(as(person))
    const answer = await sign({ method: 'PUT', key, upload_id: 'u', part_number: 4 }, as(person))
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'part_number']])
  })

  test('accepts only the first upload id of a key', async () => {
    const person = await register(testContext)
    const { key } = await start(as(person))
    const list = (upload_id: string) => sign({ method: 'GET', key, upload_id }, as(person))
    const answers = await Promise.all(['a', 'b', 'c'].map(list))
    const signed = answers.filter(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const [first] = signed.map(({ json }) => queryOf(json.url).uploadId)
    expect((await list(first ?? '')).status).toBe(200)
  })

  test('is refused for another account and for an anonymous caller, who cannot claim the upload either', async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const { key } = await start(as(person))
    const upload_id = await createAtStorage(key)
    for (const other of [as(stranger), {}]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await sign({ method, key, upload_id: 'theirs' }, other)
        expect([answer.status, answer.json.code]).toEqual([404, 'upload_not_found'])
      }
      const part = await sign({ method: 'PUT', key, upload_id: 'theirs', part_number: 1 }, other)
      expect(part.status).toBe(404)
    }
    expect((await sign({ method: 'GET', key, upload_id }, as(person))).status).toBe(200)
  })
})

describe('an upload that was completed at storage', () => {
  test('is checked by the first job that uses it, and is then closed', async () => {
    const person = await register(testContext)
    const { key, file_url } = await start(as(person))
    expect((await submit(person, file_url)).json.code).toBe('invalid_file_url')
    const upload_id = await createAtStorage(key)
    expect((await sign({ method: 'POST', key, upload_id }, as(person))).status).toBe(200)
    await finishAtStorage(key, upload_id, [5 * MIB, 5 * MIB, MIB])
    expect((await submit(person, file_url)).status).toBe(201)
    await testContext.settled()
    const late = await sign({ method: 'PUT', key, upload_id, part_number: 1 }, as(person))
    expect([late.status, late.json.code]).toEqual([409, 'upload_already_completed'])
  })

  test.each([
    ['shorter than declared', [5 * MIB, 5 * MIB], MP4.bytes],
    ['of another type', [5 * MIB, 5 * MIB, MIB], PNG.bytes],
  ])('and is %s is refused and removed', async (_how, sizes, head) => {
    const person = await register(testContext)
    const { key, file_url } = await start(as(person))
    await finishAtStorage(key, await createAtStorage(key), sizes, head)
    const answer = await submit(person, file_url)
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_file_url'])
    await testContext.settled()
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test('stays when the time for its parts has ended', async () => {
    const person = await register(testContext)
    const { key, file_url } = await start(as(person))
    const upload_id = await createAtStorage(key)
    expect((await sign({ method: 'POST', key, upload_id }, as(person))).status).toBe(200)
    await finishAtStorage(key, upload_id, [5 * MIB, 5 * MIB, MIB])
    await endParts(key)
    await abortUnusedUploads(testContext.deps)
    expect((await submit(person, file_url)).status).toBe(201)
  })
})

/** Makes the parts of an upload expire. */
const endParts = (key: string) =>
  testContext.deps.db.$client.execute({
    sql: 'UPDATE part_uploads SET expires_at = 1 WHERE key = ?',
    args: [key],
  })

const rowsOf = async (key: string) => {
  const sql = 'SELECT key FROM part_uploads WHERE key = ? UNION ALL SELECT key FROM uploads WHERE key = ?1'
  return (await testContext.deps.db.$client.execute({ sql, args: [key] })).rows.length
}

describe('an upload that its client does not complete', () => {
  test('is removed once the signed abort has expired, even if the client did not send it', async () => {
    const limited = await makeLimitedContext()
    const person = await register(limited)
    const { json } = await limited.call('POST', PATH, { ...as(person), body: NEW_FILM })
    const named = { key: json.key, upload_id: await createAtStorage(json.key) }
    const body = { method: 'DELETE', ...named }
    expect((await limited.call('POST', PATH, { ...as(person), body })).status).toBe(200)
    await abortUnusedUploads(limited.deps)
    expect(await rowsOf(json.key)).toBe(2)
    limited.clock.now += 17 * 60_000
    await abortUnusedUploads(limited.deps)
    expect(await rowsOf(json.key)).toBe(0)
  })

  test('is removed when it was never used', async () => {
    const { key } = await start({})
    await endParts(key)
    await abortUnusedUploads(testContext.deps)
    expect(await rowsOf(key)).toBe(0)
  })
})
