import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl, timeOf } from '../../test/edge/worker/context.ts'
import { MP3, MP4, PNG } from '../../test/edge/worker/files.ts'
import { ledgerOf, type Person, register, SUBMISSION, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call } = testContext

/** Pads a file with zeros, or truncates it, to the given length. */
function pad(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(length)
  padded.set(bytes.subarray(0, length))
  return padded
}

describe('a refused submission', () => {
  let person: Person
  let stranger: Person
  beforeAll(async () => {
    person = await register(testContext)
    stranger = await register(testContext)
  })

  async function expectRefusal(body: unknown, status: number, code: string): Promise<void> {
    const before = await ledgerOf(testContext, person)
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body })
    expect([answer.status, answer.json.code, typeof answer.json.detail]).toEqual([status, code, 'string'])
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token: person.token })).json).toEqual([])
  }

  const withParams = (params: object, operation_key = 'compress', service_slug = 'video') => ({
    service_slug,
    operation_key,
    params: { ...SUBMISSION.params, ...params },
  })

  test.each([
    ['an unknown service', withParams({}, 'compress', 'audio'), 404, 'unknown_service'],
    ['an unknown operation', withParams({}, 'explode'), 400, 'unknown_operation'],
    ['a name inherited by every object', withParams({}, 'constructor'), 400, 'unknown_operation'],
    ['an operation of the other service', withParams({}, 'thumbnail', 'image'), 400, 'unknown_operation'],
    ['a parameter out of bounds', withParams({ crf: 52 }), 400, 'invalid_params'],
    ['a parameter of another type', withParams({ crf: 'many' }), 400, 'invalid_params'],
    [
      'a deeply nested parameter',
      withParams({ crf: JSON.parse('['.repeat(20) + ']'.repeat(20)) }),
      400,
      'invalid_params',
    ],
    ['an unknown parameter', withParams({ colour: 'red' }), 400, 'invalid_params'],
    ['a long unknown parameter', withParams({ ['x'.repeat(64)]: 1 }), 400, 'invalid_params'],
    ['no file', { ...SUBMISSION, params: {} }, 400, 'invalid_file_url'],
    ['no params', { service_slug: 'video', operation_key: 'compress' }, 400, 'invalid_file_url'],
    ['a list as the file', withParams({ file_url: ['x'] }), 400, 'invalid_file_url'],
    ['an empty URL', withParams({ file_url: '' }), 400, 'invalid_file_url'],
    ['a private address', withParams({ file_url: 'http://169.254.169.254/x' }), 400, 'invalid_file_url'],
    ['a local file', withParams({ file_url: 'file:///etc/passwd' }), 400, 'invalid_file_url'],
    [
      'a long URL of a stored file',
      withParams({ file_url: `${publicUrl()}/files/uploads/x?${'y'.repeat(4096)}` }),
      400,
      'invalid_file_url',
    ],
    ['params too large', withParams({ filename: 'x'.repeat(70_000) }), 400, 'params_too_large'],
    [
      'URLs that grow too large for the queue',
      withParams(
        {
          tracks: Array.from({ length: 8 }, () => ({ url: `https://media.example.org/${'я'.repeat(2020)}` })),
        },
        'add_audio',
      ),
      400,
      'params_too_large',
    ],
    [
      'a URL that is too long',
      withParams({ file_url: `https://media.example.org/${'x'.repeat(5000)}` }),
      400,
      'invalid_file_url',
    ],
  ])('with %s charges nothing', (_name, body, status, code) => expectRefusal(body, status, code))

  test.each(['/api/v1/jobs', '/api/v1/jobs/quote'])(
    'at %s names the parameter and mentions no charge, because there was none',
    async (path) => {
      const answer = await call('POST', path, { token: person.token, body: withParams({ crf: 52 }) })
      expect([answer.status, answer.code]).toEqual([400, 'invalid_params'])
      expect(answer.text).toContain('crf: must be at most 51, not 52.')
      expect(answer.text).not.toMatch(/refund|charge/)
    },
  )

  test.each([
    ['an unknown upload', `/files/uploads/${crypto.randomUUID()}/a.mp4`],
    ['a result of an unknown job', `/files/results/${crypto.randomUUID()}/1001/a.mp4`],
    ['a path traversal', '/files/uploads/../../secret'],
    ['another path of the service', '/files/'],
  ])('with %s charges nothing', (_name, path) =>
    expectRefusal(withParams({ file_url: publicUrl() + path }), 400, 'invalid_file_url'),
  )

  test('has an upload of another account or of an anonymous caller', async () => {
    for (const owner of [stranger, null]) {
      const { url } = await upload(testContext, owner, MP4)
      await expectRefusal(withParams({ file_url: url }), 400, 'invalid_file_url')
    }
  })

  test('has a result of another account', async () => {
    const id = await submit(testContext, stranger)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const url = `${publicUrl()}/files/results/${id}/1001/clip.mp4`
    await expectRefusal(withParams({ file_url: url }), 400, 'invalid_file_url')
    const own = await call('POST', '/api/v1/jobs', {
      token: stranger.token,
      body: withParams({ file_url: url }),
    })
    expect(own.status).toBe(201)
  })

  test('has an expired result; a result in use lives until the job has read it', async () => {
    const owner = await register(testContext)
    const { token } = owner
    const id = await submit(testContext, owner)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const body = withParams({ file_url: `${publicUrl()}/files/results/${id}/1001/clip.mp4` })
    const setExpiry = (time: number) =>
      testContext.deps.db.$client.execute({
        sql: 'UPDATE jobs SET expires_at = ? WHERE id = ?',
        args: [time, id],
      })
    await setExpiry(Date.now() + 60_000)
    expect((await call('POST', '/api/v1/jobs', { token, body })).status).toBe(201)
    const { result } = (await call('GET', `/api/v1/jobs/${id}`, { token })).json
    expect(timeOf(result?.expires_at) - Date.now()).toBeGreaterThan(5 * 60 * 60 * 1000)
    await setExpiry(Date.now() - 1)
    const refused = await call('POST', '/api/v1/jobs', { token, body })
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_file_url'])
  })

  test('has an upload that has not arrived or has expired', async () => {
    const size = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 5 }
    const { json } = await call('POST', '/api/v1/uploads/presign', { token: person.token, body: size })
    await expectRefusal(withParams({ file_url: json.url }), 400, 'invalid_file_url')
    const { url, key } = await upload(testContext, person, MP4)
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE uploads SET expires_at = 1 WHERE key = ?',
      args: [key],
    })
    await expectRefusal(withParams({ file_url: url }), 400, 'invalid_file_url')
  })

  test('has an upload stored with a Content-Encoding, which is removed', async () => {
    const { url, key } = await upload(testContext, person, MP4)
    const httpMetadata = { contentType: MP4.content_type, contentEncoding: 'gzip' }
    await testContext.deps.env.BUCKET.put(key, MP4.bytes, { httpMetadata })
    const body = { ...SUBMISSION, params: { file_url: url } }
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body })
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_file_url'])
    await testContext.settled()
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test.each([
    ['longer', Uint8Array.from([...MP4.bytes, 0])],
    ['shorter', MP4.bytes.slice(0, -1)],
    ['of another type', pad(PNG.bytes, MP4.bytes.length)],
  ])('has an upload stored %s than declared, which is removed', async (_how, bytes) => {
    const { url, key } = await upload(testContext, person, MP4)
    await testContext.deps.storage.put(key, new Blob([bytes]), MP4.content_type)
    await expectRefusal(withParams({ file_url: url }), 400, 'invalid_file_url')
    await testContext.settled()
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test.each([
    ['video', 'compress', PNG],
    ['video', 'compress', MP3],
    ['image', 'resize', MP4],
    ['image', 'convert', MP3],
  ])('of %s/%s has the wrong kind of file, and names both kinds', async (service, operation, file) => {
    const { url } = await upload(testContext, person, file)
    const params = operation === 'resize' ? { width: 100 } : operation === 'convert' ? { format: 'webp' } : {}
    const body = { service_slug: service, operation_key: operation, params: { ...params, file_url: url } }
    await expectRefusal(body, 400, 'wrong_file_kind')
  })

  test('has a disabled operation', async () => {
    const set = (enabled: number) =>
      testContext.deps.db.$client.execute({
        sql: "UPDATE operations SET enabled = ? WHERE service_slug = 'video' AND operation_key = 'thumbnail'",
        args: [enabled],
      })
    await set(0)
    try {
      const fresh = makeTestContext()
      const answer = await fresh.call('POST', '/api/v1/jobs', {
        token: person.token,
        body: withParams({}, 'thumbnail'),
      })
      expect([answer.status, answer.json.code]).toEqual([400, 'operation_disabled'])
    } finally {
      await set(1)
    }
  })

  test('leaves no unhandled rejection among 20 concurrent ones with bad files', async () => {
    const body = withParams({ file_url: `${publicUrl()}/files/uploads/none/a.mp4` })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/api/v1/jobs', { token: person.token, body })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400))
  })
})
