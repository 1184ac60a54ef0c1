import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CallOptions, eventually, makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { MP3, MP4, PNG } from '../../test/edge/worker/files.ts'
import { ledgerOf, makeKey, type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext

interface SentFile {
  filename: string
  content_type: string
  bytes: Uint8Array
}

function formOf(file: SentFile | null, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file !== null) form.append('file', new File([file.bytes], file.filename, { type: file.content_type }))
  return form
}

function send(file: SentFile | null, options: CallOptions = {}, fields: Record<string, string> = {}) {
  return call('POST', '/api/v1/uploads', { content: formOf(file, fields), ...options })
}

/** Returns bytes that reveal a misplaced part, because they all differ. */
function makeBytes(length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4))
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index + 1, 2_654_435_761)
  return new Uint8Array(words.buffer, 0, length)
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function stored(key: string): Promise<{ bytes: Uint8Array; content_type: string | undefined } | null> {
  const object = await testContext.deps.env.BUCKET.get(key)
  return object && { bytes: await object.bytes(), content_type: object.httpMetadata?.contentType }
}

describe('POST /uploads', () => {
  test('stores the file and returns its URL, for a session, a key or anonymously', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    for (const credential of [{ token: person.token }, { key }, {}]) {
      const { status, json } = await send(PNG, credential)
      expect(status, JSON.stringify(json)).toBe(201)
      expect(json).toEqual({
        url: `${publicUrl()}/files/${json.key}`,
        key: expect.stringMatching(/^uploads\/[0-9a-f-]{36}\/picture\.png$/),
        filename: 'picture.png',
        content_type: 'image/png',
        size_bytes: PNG.bytes.length,
      })
      expect(await stored(json.key)).toEqual({ bytes: PNG.bytes, content_type: 'image/png' })
    }
  })

  const PART = 5 * 1024 * 1024
  test.each([PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 12_345])(
    'stores every byte of a file of %i bytes in its place',
    async (length) => {
      const bytes = makeBytes(length)
      const { status, json } = await send({ filename: 'big.mp4', content_type: 'video/mp4', bytes })
      expect([status, json.size_bytes]).toEqual([201, length])
      const kept = await stored(json.key)
      expect(digest(kept?.bytes ?? new Uint8Array())).toBe(digest(bytes))
      await testContext.deps.env.BUCKET.delete(json.key)
    },
  )

  test('accepts a name in any script, and the form fields in any order', async () => {
    const { status, json } = await send({ ...MP4, filename: 'відео 🎬.mp4' }, {}, { note: 'x' })
    expect([status, json.filename]).toEqual([201, 'відео 🎬.mp4'])
    expect(json.key).toMatch(/\/відео_\.mp4$/)
  })

  test('detects the kind from the first bytes immediately', async () => {
    const person = await register(testContext)
    const { json } = await send(MP3, { token: person.token })
    const body = { ...SUBMISSION, params: { file_url: json.url } }
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body })
    expect([answer.status, answer.json.code]).toEqual([400, 'wrong_file_kind'])
  })

  test.each([
    ['no file', null, {}, ['body', 'file']],
    ['an empty file', { ...PNG, bytes: new Uint8Array() }, {}, ['body', 'file']],
    ['a field that is too long', PNG, { note: 'x'.repeat(300_000) }, ['body']],
  ] as const)('refuses %s', async (_what, file, fields, loc) => {
    const answer = await send(file, {}, fields)
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, loc])
  })

  test('refuses two files', async () => {
    const content = formOf(PNG)
    content.append('file', new File([MP4.bytes], 'b.mp4', { type: 'video/mp4' }))
    const answer = await call('POST', '/api/v1/uploads', { content })
    expect([answer.status, answer.faults[0]?.type]).toEqual([422, 'form_invalid'])
  })

  const BOUNDARY = 'multipart/form-data; boundary=b'
  const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
  test.each([
    ['JSON', 'application/json', '{}'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['nothing', BOUNDARY, ''],
    ['a body that is not a form', BOUNDARY, 'hello'],
    ['a form truncated in its file', BOUNDARY, `${HEAD}Content-Type: image/png\r\n\r\nbytes`],
    ['a form truncated in its headers', BOUNDARY, HEAD],
    ['unterminated headers', BOUNDARY, `${HEAD}X: ${'x'.repeat(200_000)}`],
  ])('refuses %s', async (_what, contentType, raw) => {
    const answer = await call('POST', '/api/v1/uploads', { raw, headers: { 'content-type': contentType } })
    expect([answer.status, answer.faults[0]?.loc[0]]).toEqual([422, 'body'])
  })

  test.each(['text/html', 'image/x-scene+xml', 'text/javascript'])('refuses %s', async (content_type) => {
    expect((await send({ ...PNG, content_type })).status).toBe(415)
  })

  test('refuses a file over the size limit, whatever its declared length, and stores nothing', async () => {
    const small = makeTestContext({ MAX_UPLOAD_GB: '0.01' })
    const content = formOf({ filename: 'big.mp4', content_type: 'video/mp4', bytes: makeBytes(12_000_000) })
    const person = await register(small)
    const answer = await small.call('POST', '/api/v1/uploads', { content, token: person.token })
    expect([answer.status, answer.json.code]).toEqual([413, 'file_too_large'])
    const args = [person.id]
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT key FROM uploads WHERE account_id = ?',
      args,
    })
    for (const { key } of rows) expect(await stored(String(key))).toBeNull()
  })

  test('with an invalid credential is 401', async () => {
    expect((await send(PNG, { token: 'a.b.c' })).status).toBe(401)
  })

  test('is counted by address only for anonymous callers', async () => {
    const person = await register(testContext)
    await testContext.deps.db.$client.execute(
      "INSERT OR REPLACE INTO settings (name, value) VALUES ('uploads_per_day_anonymous', '2')",
    )
    // Uses a different database URL to make the settings load again, and a different client address.
    const counted = makeTestContext({ DATABASE_URL: `${testContext.deps.env.DATABASE_URL}/` })
    const headers = { 'cf-connecting-ip': '203.0.113.77' }
    const attempt = async (options: CallOptions) =>
      (await counted.call('POST', '/api/v1/uploads', { content: formOf(PNG), headers, ...options })).status
    try {
      expect([await attempt({}), await attempt({})]).toEqual([201, 201])
      expect(await attempt({})).toBe(429)
      const body = { filename: 'a.png', content_type: 'image/png', size_bytes: 5 }
      const presigned = await counted.call('POST', '/api/v1/uploads/presign', { body, headers })
      expect([presigned.status, Number(presigned.headers.get('retry-after')) > 0]).toEqual([429, true])
      expect(await attempt({ token: person.token })).toBe(201)
    } finally {
      await testContext.deps.db.$client.execute(
        "INSERT OR REPLACE INTO settings (name, value) VALUES ('uploads_per_day_anonymous', '1000000')",
      )
    }
  })
})

describe('POST /jobs/upload', () => {
  const FIELDS = { service_slug: 'video', operation_key: 'compress' }
  const LINK = { service_slug: 'video', operation_key: 'link_info' }

  function submitForm(person: Person, fields: Record<string, string>, file: SentFile | null = MP4) {
    return call('POST', '/api/v1/jobs/upload', { token: person.token, content: formOf(file, fields) })
  }

  test('uploads and submits in one request; the file of the form is the input, even when params name another', async () => {
    const person = await register(testContext)
    const params = JSON.stringify({ level: 'strong', file_url: 'https://media.example.org/other.mp4' })
    const { status, json } = await submitForm(person, { ...FIELDS, params })
    expect(status, JSON.stringify(json)).toBe(201)
    expect(json).toMatchObject({ ...FIELDS, status: 'queued', params: { level: 'strong' } })
    expect(json.params.file_url).toMatch(/\/files\/uploads\/.*\/clip\.mp4$/)
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test('works with a key, without params, and with the fields after the file', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const content = formOf(MP4)
    for (const [name, value] of Object.entries(FIELDS)) content.append(name, value)
    const answer = await call('POST', '/api/v1/jobs/upload', { key, content })
    expect([answer.status, answer.json.source]).toEqual([201, 'api'])
  })

  test.each([
    ['params that are not JSON', { ...FIELDS, params: '{' }, 400],
    ['params that are a list', { ...FIELDS, params: '[1]' }, 400],
    ['params that are null', { ...FIELDS, params: 'null' }, 400],
    ['a lone surrogate', { ...FIELDS, params: '{"a":"\\ud800"}' }, 422],
    ['a refused parameter', { ...FIELDS, params: '{"level":"enormous"}' }, 400],
    ['an unknown operation', { ...FIELDS, operation_key: 'fly' }, 400],
    ['an unknown service', { ...FIELDS, service_slug: 'sound' }, 404],
    ['no service', { operation_key: 'compress' }, 422],
    ['an unsafe webhook', { ...FIELDS, webhook_url: 'http://10.0.0.1/' }, 422],
    ['the wrong kind of file', { service_slug: 'image', operation_key: 'convert' }, 400],
    ['a link operation', { ...LINK, params: '{"url":"https://video.example.org/watch"}' }, 400],
  ])('refuses %s, charges nothing, and removes the file', async (_what, fields, status) => {
    const person = await register(testContext)
    const before = await ledgerOf(testContext, person)
    const answer = await submitForm(person, fields as Record<string, string>)
    expect(answer.status, answer.text).toBe(status)
    if (_what.startsWith('params that')) expect(answer.json.detail).toBe('params must be a JSON object')
    expect(await ledgerOf(testContext, person)).toEqual(before)
    await testContext.settled()
    await eventually('the upload to be gone', async () => {
      const args = [person.id]
      const sql = 'SELECT key FROM uploads WHERE account_id = ?'
      return (await testContext.deps.db.$client.execute({ sql, args })).rows.length === 0
    })
  })

  const sendNamed = (
    { token }: Person,
    key: string,
    {
      bytes = MP4.bytes,
      fields = FIELDS,
    }: { bytes?: Uint8Array<ArrayBuffer>; fields?: Record<string, string> } = {},
  ) =>
    call('POST', '/api/v1/jobs/upload', {
      token,
      content: formOf({ ...MP4, bytes }, fields),
      headers: { 'idempotency-key': key },
    })

  test('repeated with its Idempotency-Key is charged once', async () => {
    const person = await register(testContext)
    const [first, second] = [await sendNamed(person, 'once'), await sendNamed(person, 'once')]
    expect([first.status, second.status, second.json.id]).toEqual([201, 201, first.json.id])
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test('is compared whole: with another file or field the same key names another request', async () => {
    const person = await register(testContext)
    expect((await sendNamed(person, 'one')).status).toBe(201)
    const others = [
      { bytes: MP4.bytes.slice().reverse() },
      { bytes: makeBytes(MP4.bytes.length + 1) },
      { fields: { ...FIELDS, operation_key: 'faststart' } },
    ]
    for (const other of others) {
      const { status, faults } = await sendNamed(person, 'one', other)
      expect([status, faults[0]?.type]).toEqual([422, 'idempotency_key_reused'])
    }
    const again = await sendNamed(person, 'one')
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })

  test('that was refused is evaluated again when repeated', async () => {
    const person = await register(testContext)
    const refused = await sendNamed(person, 'retried', { fields: { ...FIELDS, operation_key: 'nothing' } })
    const right = await sendNamed(person, 'retried')
    expect([refused.status, right.status]).toEqual([400, 201])
  })

  test('is streamed with an Idempotency-Key too, whatever its content type', async () => {
    const person = await register(testContext)
    const send = (type: string, raw: string) =>
      call('POST', '/api/v1/jobs/upload', {
        token: person.token,
        raw,
        headers: {
          'content-type': type,
          'idempotency-key': crypto.randomUUID(),
        },
      })
    const fields = Object.entries(FIELDS).map(
      ([name, value]) => `--json\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file =
      '--json\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nx\r\n--json--\r\n'
    const answer = await send('multipart/form-data; boundary=json', fields.join('') + file)
    expect(answer.status, answer.text).toBe(201)
    const refused = await send('application/json', '{}')
    expect([refused.status, refused.faults[0]?.type]).toEqual([422, 'json_not_form'])
  })

  test('refuses a link operation before storing its file, or afterwards when the fields come last', async () => {
    const person = await register(testContext)
    const countUploads = async () => {
      const sql = 'SELECT count(*) AS total FROM uploads WHERE account_id = ?'
      const { rows } = await testContext.deps.db.$client.execute({ sql, args: [person.id] })
      return Number(rows[0]?.total)
    }
    const params = '{"url":"https://video.example.org/watch"}'
    const first = await submitForm(person, { ...LINK, params })
    expect([first.status, await countUploads()]).toEqual([400, 0])
    const content = formOf(MP4)
    for (const [name, value] of Object.entries({ ...LINK, params })) content.append(name, value)
    const second = await call('POST', '/api/v1/jobs/upload', { token: person.token, content })
    for (const { status, json } of [first, second]) {
      expect([status, json.code]).toEqual([400, 'operation_takes_link'])
    }
  })

  test('requires credentials', async () => {
    const answer = await call('POST', '/api/v1/jobs/upload', { content: formOf(MP4, FIELDS) })
    expect([answer.status, answer.json.code]).toEqual([401, 'missing_api_key'])
  })
})
