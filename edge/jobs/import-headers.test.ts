import { describe, expect, test } from 'vitest'
import { signRequest } from '../../shared/protocol/signature.ts'
import type { StorageAccess } from '../../shared/protocol/storage-access.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { type Person, register, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

const SECRET = 'open-sesame'
const HEADERS = { Authorization: `Bearer ${SECRET}`, cookie: `id=${SECRET}`, 'X-Token': SECRET }
const URL = 'https://cdn.example.org/clip.mp4'
const COMPRESS = { service_slug: 'video', operation_key: 'compress' }
const SUBMISSION = { ...COMPRESS, params: { file_url: URL }, headers: HEADERS }

const submit = ({ token }: Person, body: object = {}, headers = {}) =>
  call('POST', '/api/v1/jobs', { token, body: { ...SUBMISSION, ...body }, headers })

async function submitted(person: Person, body: object = {}, headers = {}): Promise<string> {
  const answer = await submit(person, body, headers)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.text).not.toContain(SECRET)
  return answer.json.id
}

/** Requests the headers in the same way as the fleet. */
async function askHeaders(job_id: string): Promise<StorageAccess> {
  const raw = JSON.stringify({ type: 'import', job_id, fence: 1001 })
  const target = { to: 'edge', method: 'POST', path: '/internal/storage-access' } as const
  const headers = { ...signRequest(deps.env.FLEET_KEYS, target, { id: crypto.randomUUID(), body: raw }) }
  const { status, text } = await call(target.method, target.path, { raw, headers })
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

const SENT = {
  authorization: `Bearer ${SECRET}`,
  cookie: `id=${SECRET}`,
  'x-token': SECRET,
}

async function readDatabase(): Promise<string> {
  const query = (sql: string) => deps.db.$client.execute(sql)
  const { rows } = await query("SELECT name FROM sqlite_master WHERE type = 'table'")
  const tables = await Promise.all(rows.map(({ name }) => query(`SELECT * FROM "${name}"`)))
  return JSON.stringify(tables.map((table) => table.rows))
}

async function sealedHeaders(id: string): Promise<unknown> {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT sealed_headers FROM jobs WHERE id = ?',
    args: [id],
  })
  return rows[0]?.sealed_headers
}

describe('headers for the import of a file', () => {
  test('are given to the attempt that imports it, and to nobody else', async () => {
    const person = await register(testContext)
    const webhook_url = 'https://hooks.example.org/job'
    const id = await submitted(person, { webhook_url }, { 'idempotency-key': crypto.randomUUID() })
    expect(await askHeaders(id)).toEqual({ outcome: 'granted', url: URL, headers: SENT, address: URL })
    const { token } = person
    const answers = [
      await call('GET', `/api/v1/jobs/${id}`, { token }),
      await call('GET', '/api/v1/jobs', { token }),
      await call('GET', '/api/v1/auth/me/export', { token }),
    ]
    for (const { text } of answers) expect(text).not.toContain(SECRET)
    expect(await readDatabase()).not.toContain(SECRET)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await readDatabase()).not.toContain(SECRET)
  })

  test.each([
    ['is done', (id: string) => report(testContext, finished(id, doneOutcome(id, 1)))],
    ['has failed', (id: string) => report(testContext, finished(id, FAILED))],
    ['was canceled', (id: string, { token }: Person) => call('POST', `/api/v1/jobs/${id}/cancel`, { token })],
  ])('are deleted when the job %s, which cannot be repeated without them', async (_how, end) => {
    const person = await register(testContext)
    const id = await submitted(person)
    expect(await sealedHeaders(id)).toMatch(/^[\w+/=]{40,}$/)
    await end(id, person)
    expect(await sealedHeaders(id)).toBe('')
    expect(await askHeaders(id)).toEqual({ outcome: 'over' })
    const again = await call('POST', `/api/v1/jobs/${id}/repeat`, { token: person.token })
    expect([again.status, again.code]).toEqual([409, 'import_headers_not_kept'])
  })

  test('belong to a single file of a batch, which cannot be repeated', async () => {
    const { token } = await register(testContext)
    const files = [{ url: URL, headers: HEADERS }, { url: URL }]
    const batch = await call('POST', '/api/v1/studio/batch', { token, body: { ...COMPRESS, files } })
    expect(batch.status, batch.text).toBe(201)
    expect(batch.text).not.toContain(SECRET)
    const [first = '', second = ''] = batch.json.jobs.map((job: { id: string }) => job.id)
    expect(await askHeaders(first)).toMatchObject({ headers: SENT })
    expect(await askHeaders(second)).toMatchObject({ headers: {} })
    expect((await call('POST', `/api/v1/studio/batches/${batch.json.id}/cancel`, { token })).status).toBe(200)
    expect([await sealedHeaders(first), await sealedHeaders(second)]).toEqual(['', null])
    const again = await call('POST', `/api/v1/studio/batches/${batch.json.id}/repeat`, { token })
    expect([again.status, again.code]).toEqual([409, 'import_headers_not_kept'])
  })

  test('are accepted by studio runs and templates', async () => {
    const { token } = await register(testContext)
    const run = { ...COMPRESS, file_url: URL, headers: HEADERS }
    const { json, text } = await call('POST', '/api/v1/studio/run', { body: run, token })
    expect(await askHeaders(json.job.id), text).toMatchObject({ headers: SENT })
    const template = { service_slug: 'video', operations: [{ operation_key: 'compress' }] }
    await call('PUT', '/api/v1/templates/small', { token, body: template })
    const body = { file_url: URL, headers: HEADERS }
    const job = await call('POST', '/api/v1/templates/small/jobs', { token, body })
    expect(await askHeaders(job.json.id), job.text).toMatchObject({ headers: SENT })
  })

  test.each([
    ['header_not_allowed', { Host: 'internal' }],
    ['header_not_allowed', { Range: 'bytes=0-1' }],
    ['header_not_allowed', { Connection: 'close' }],
    ['header_not_allowed', { 'X-Forwarded-For': '127.0.0.1' }],
    ['header_not_allowed', { 'x-a\r\nb': 'c' }],
    ['invalid_header_value', { Cookie: `${SECRET}\r\nHost: internal` }],
    ['invalid_header_value', { Cookie: ` ${SECRET}` }],
    ['invalid_header_value', { Cookie: `${SECRET}é` }],
    ['invalid_header_value', { Cookie: '' }],
    ['too_many_headers', { Cookie: SECRET, cookie: SECRET }],
    ['too_many_headers', { 'X-A': SECRET.padEnd(2000, '.'), 'X-B': SECRET.padEnd(2100, '.') }],
    [
      'too_many_headers',
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, SECRET])),
    ],
  ])('are refused with %s: %j', async (type, headers) => {
    const answer = await submit(await register(testContext), { headers })
    expect([answer.status, answer.faults[0]?.type]).toEqual([422, type])
    expect(answer.faults[0]?.loc).toEqual(['body', 'headers'])
    expect(answer.text).not.toContain(SECRET)
  })

  test('are refused for a file that is not imported by URL', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, MP4)
    const answer = await submit(person, { params: { file_url: url } })
    expect([answer.status, answer.faults[0]]).toMatchObject([422, { type: 'headers_need_url' }])
    const files = [{ url, headers: HEADERS }]
    const batch = await call('POST', '/api/v1/studio/batch', {
      token: person.token,
      body: { ...COMPRESS, files },
    })
    expect(batch.faults[0]?.loc).toEqual(['body', 'files', 0, 'headers'])
  })

  test('need a server that has a key for secrets', async () => {
    const { token } = await register(testContext)
    const without = makeTestContext({ STORAGE_KEYS: '' })
    const answer = await without.call('POST', '/api/v1/jobs', { token, body: SUBMISSION })
    expect([answer.status, answer.code]).toEqual([503, 'import_headers_not_configured'])
  })
})
