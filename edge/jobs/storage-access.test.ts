import { describe, expect, test } from 'vitest'
import { signRequest } from '../../shared/protocol/signature.ts'
import type { StorageAccess } from '../../shared/protocol/storage-access.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { ledgerOf, type Person, register, showJob, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const CONNECTION = {
  name: 'archive',
  endpoint: 'https://s3.media.example.org',
  region: 'eu-central-1',
  bucket: 'media-archive',
  prefix: 'videos',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: 'a-very-secret-access-key',
}
const ADDRESS = 'storage://archive/2026/my film #1.mp4'
const as = ({ token }: Person) => ({ token })

async function registerConnected(): Promise<Person> {
  const person = await register(testContext)
  const answer = await call('POST', '/api/v1/storage-connections', { ...as(person), body: CONNECTION })
  expect(answer.status, answer.text).toBe(201)
  return person
}

const COMPRESS = { service_slug: 'video', operation_key: 'compress' }

const submit = (person: Person, body: object) =>
  call('POST', '/api/v1/jobs', {
    ...as(person),
    body: { ...COMPRESS, params: { file_url: ADDRESS }, ...body },
  })

async function submitted(person: Person, body: object = {}): Promise<string> {
  const answer = await submit(person, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json.id
}

async function dispatchedName(id: string): Promise<string> {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT dispatch FROM jobs WHERE id = ?',
    args: [id],
  })
  return JSON.parse(String(rows[0]?.dispatch)).filename
}

/** Requests access in the same way as the fleet. */
async function ask(request: object, keys = deps.env.FLEET_KEYS) {
  const raw = JSON.stringify(request)
  const target = { to: 'edge', method: 'POST', path: '/internal/storage-access' } as const
  const headers = { ...signRequest(keys, target, { id: crypto.randomUUID(), body: raw }) }
  const { status, text } = await call(target.method, target.path, { raw, headers })
  return { status, access: (status === 200 ? JSON.parse(text) : {}) as StorageAccess }
}

const read = (job_id: string, address = ADDRESS, fence = 1001) =>
  ask({ type: 'read', job_id, fence, address })
const FILE = { filename: 'film-compress.mp4', content_type: 'video/mp4', size_bytes: 7, file_count: 1 }
const write = (job_id: string, file: object = {}) =>
  ask({ type: 'write', job_id, fence: 1001, ...FILE, ...file })

describe('a file in the storage of the customer', () => {
  test('is dispatched by its address and signed for the attempt that reads it', async () => {
    const person = await registerConnected()
    const id = await submitted(person)
    const shown = await showJob(testContext, person, id)
    expect([shown.params, shown.output]).toEqual([{ file_url: ADDRESS }, null])
    const { rows } = await deps.db.$client.execute({
      sql: 'SELECT dispatch FROM jobs WHERE id = ?',
      args: [id],
    })
    const dispatch = JSON.parse(String(rows[0]?.dispatch))
    expect(dispatch.source).toEqual({ kind: 'storage', address: ADDRESS })
    expect(dispatch.filename).toBe('my film #1.mp4')
    const { access } = await read(id)
    if (access.outcome !== 'granted') throw new Error(access.outcome)
    const url = new URL(access.url)
    expect(url.origin + url.pathname).toBe(
      'https://s3.media.example.org/media-archive/videos/2026/my%20film%20%231.mp4',
    )
    expect(url.searchParams.get('X-Amz-Credential')).toContain('AKIAEXAMPLE/')
    expect(url.searchParams.get('X-Amz-Credential')).toContain('/eu-central-1/s3/')
    expect(access.url).not.toContain(CONNECTION.secret_access_key)
  })

  test('can be an input of batches and a further file of an operation, and is read again by a repetition', async () => {
    const person = await registerConnected()
    const batch = await call('POST', '/api/v1/studio/batch', {
      ...as(person),
      body: { ...COMPRESS, file_urls: [ADDRESS, 'storage://archive/b.mp4'] },
    })
    expect(batch.status, batch.text).toBe(201)
    const tracks = [{ url: ADDRESS }]
    const mixed = await submit(person, { operation_key: 'add_audio', params: { file_url: ADDRESS, tracks } })
    expect(mixed.status, mixed.text).toBe(201)
    expect((await read(mixed.json.id)).access.outcome).toBe('granted')
    const again = await call('POST', `/api/v1/jobs/${mixed.json.id}/repeat`, as(person))
    expect([again.status, again.json.params]).toEqual([201, mixed.json.params])
  })

  test('with an emoji where its name is truncated can be listed and exported', async () => {
    const person = await registerConnected()
    const file_url = `storage://archive/${'a'.repeat(254)}😀.mp4`
    const id = await submitted(person, { params: { file_url } })
    const list = await call('GET', '/api/v1/jobs', as(person))
    expect([list.status, list.json[0]?.id]).toEqual([200, id])
    expect(await dispatchedName(id)).toBe('a'.repeat(254))
  })

  test('can be listed even if an earlier version stored half an emoji', async () => {
    const person = await registerConnected()
    const id = await submitted(person)
    await deps.db.$client.execute({
      sql: `UPDATE jobs SET dispatch = replace(dispatch, 'my film #1.mp4', 'film\\ud83d') WHERE id = ?`,
      args: [id],
    })
    for (const path of ['/api/v1/jobs', `/api/v1/jobs/${id}`]) {
      expect((await call('GET', path, as(person))).status).toBe(200)
    }
    const { status, text } = await call('GET', '/api/v1/auth/me/export', as(person))
    expect([status, text.includes('"filename":"film\uFFFD"')]).toEqual([200, true])
  })

  test.each([
    ['storage://unknown/a.mp4'],
    ['storage://archive/'],
    ['storage://archive/../a.mp4'],
    [`storage://archive/${'a'.repeat(1020)}`],
    ['storage://archive/a/../../b.mp4'],
    ['storage://archive/a\nb.mp4'],
    ['storage:archive/a.mp4'],
  ])('cannot be %j, which charges nothing', async (file_url) => {
    const person = await registerConnected()
    const answer = await submit(person, { params: { file_url } })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_file_url'])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test('of another account, or for an anonymous caller, is treated like an unknown one', async () => {
    await registerConnected()
    const stranger = await register(testContext)
    const answer = await submit(stranger, {})
    expect([answer.status, answer.code]).toEqual([400, 'invalid_file_url'])
    const body = { ...COMPRESS, file_url: ADDRESS }
    const anonymous = await call('POST', '/api/v1/studio/run', { body })
    expect([anonymous.status, anonymous.code]).toEqual([400, 'invalid_file_url'])
  })
})

describe('access for the fleet', () => {
  test('needs a signature and a valid request', async () => {
    const id = await submitted(await registerConnected())
    expect((await ask({}, [btoa('another key of thirty-two chars!')])).status).toBe(401)
    expect((await ask({ type: 'list', job_id: id, fence: 1 })).status).toBe(422)
  })

  test('is granted only for an input of the job', async () => {
    const id = await submitted(await registerConnected())
    expect((await read(id, 'storage://archive/other.mp4')).status).toBe(422)
    expect((await write(id)).status).toBe(422)
  })

  test('ends with the attempt and with the job', async () => {
    const person = await registerConnected()
    const id = await submitted(person)
    await report(testContext, started(id, 2001))
    expect((await read(id, ADDRESS, 1001)).access).toEqual({ outcome: 'over' })
    expect((await read(id, ADDRESS, 2001)).access.outcome).toBe('granted')
    await call('POST', `/api/v1/jobs/${id}/cancel`, as(person))
    expect((await read(id, ADDRESS, 2001)).access).toEqual({ outcome: 'over' })
    expect((await read(crypto.randomUUID())).access).toEqual({ outcome: 'over' })
  })

  test('is refused once the connection is deleted', async () => {
    const person = await registerConnected()
    const id = await submitted(person, { output: { storage: 'archive' } })
    await call('DELETE', '/api/v1/storage-connections/archive', as(person))
    for (const { access } of [await read(id), await write(id)]) {
      expect(access).toMatchObject({
        outcome: 'refused',
        fault: 'unknown_connection',
        address: expect.stringContaining('storage://archive/'),
        // All that fleets of the last release read.
        reason: 'The storage connection does not exist.',
      })
    }
  })
})

describe('an export', () => {
  test.each([
    [{ storage: 'archive', key: undefined }, '{job_id}/{filename}', 'JOB/film-compress.mp4'],
    [
      { storage: 'archive', key: 'done/{operation_key}/{filename}' },
      undefined,
      'done/compress/film-compress.mp4',
    ],
    [{ storage: 'archive', key: 'latest.mp4' }, undefined, 'latest.mp4'],
  ])('to %j is signed with its type and length', async (output, key, path) => {
    const person = await registerConnected()
    const id = await submitted(person, { output })
    expect((await showJob(testContext, person, id)).output).toEqual({ ...output, key: output.key ?? key })
    const { access } = await write(id)
    if (access.outcome !== 'granted') throw new Error(access.outcome)
    const expected = path.replace('JOB', id)
    expect(access.address).toBe(`storage://archive/${expected}`)
    expect(new URL(access.url).pathname).toBe(`/media-archive/videos/${expected}`)
    expect(access.headers).toEqual({ 'content-type': 'video/mp4', 'content-length': '7' })
    expect(new URL(access.url).searchParams.get('X-Amz-SignedHeaders')).toBe(
      'content-length;content-type;host',
    )
  })

  test('of several files is a folder if the key has no file name', async () => {
    const person = await registerConnected()
    const id = await submitted(person, { output: { storage: 'archive', key: 'stills' } })
    const { access } = await write(id, { filename: '02.jpg', file_count: 9 })
    expect(access).toMatchObject({ address: 'storage://archive/stills/02.jpg' })
  })

  test('is shown with the result, and a repetition exports again', async () => {
    const person = await registerConnected()
    const id = await submitted(person, { output: { storage: 'archive', key: 'x.mp4' } })
    const outcome = doneOutcome(id, 1)
    const files = outcome.status === 'done' ? outcome.files : []
    const exported = files.map((file) => ({ ...file, exported_to: 'storage://archive/x.mp4' }))
    await report(testContext, finished(id, { ...outcome, files: exported } as typeof outcome))
    const job = await showJob(testContext, person, id)
    expect([job.status, job.result?.exported_to]).toEqual(['done', 'storage://archive/x.mp4'])
    const again = await call('POST', `/api/v1/jobs/${id}/repeat`, as(person))
    expect([again.status, again.json.output]).toEqual([201, { storage: 'archive', key: 'x.mp4' }])
  })

  test('that fails, fails the job and refunds it whole', async () => {
    const person = await registerConnected()
    const id = await submitted(person, { output: { storage: 'archive' } })
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
    const error = 'The result could not be written to storage://archive/x.mp4: the server responded with 403.'
    const failed = {
      status: 'failed' as const,
      processing_seconds: 61,
      error,
      error_code: 'export_failed' as const,
    }
    await report(testContext, finished(id, failed))
    const job = await showJob(testContext, person, id)
    expect([job.status, job.error_code, job.result]).toEqual(['failed', 'export_failed', null])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
  })

  test('that an outdated fleet left out fails the job and refunds it whole', async () => {
    const person = await registerConnected()
    const id = await submitted(person, { output: { storage: 'archive' } })
    const raw = finished(id, doneOutcome(id, 61))
    for (const _delivery of ['first', 'repeated']) {
      expect((await report(testContext, raw, { id: `report-${id}` })).status).toBe(200)
    }
    const job = await showJob(testContext, person, id)
    expect([job.status, job.error_code, job.result]).toEqual(['failed', 'export_failed', null])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
  })

  test('of a batch is for every file, and needs a key that tells them apart', async () => {
    const person = await registerConnected()
    const file_urls = [ADDRESS, 'storage://archive/b.mp4']
    const run = (output: object) =>
      call('POST', '/api/v1/studio/batch', { ...as(person), body: { ...COMPRESS, file_urls, output } })
    const same = await run({ storage: 'archive', key: 'latest.mp4' })
    expect([same.status, same.faults[0]?.type]).toEqual([422, 'output_key_repeats'])
    const { status, json } = await run({ storage: 'archive', key: '{job_id}.mp4' })
    expect([status, json.jobs.map(({ output }) => output?.key)]).toEqual([
      201,
      ['{job_id}.mp4', '{job_id}.mp4'],
    ])
    const again = await call('POST', `/api/v1/studio/batches/${json.id}/repeat`, as(person))
    expect([again.status, again.json.jobs[0]?.output?.storage]).toEqual([201, 'archive'])
  })

  test.each([
    [{ storage: 'unknown' }, ['body', 'output', 'storage'], 'unknown_storage_connection'],
    [{ storage: 'archive', key: '../x' }, ['body', 'output', 'key'], 'invalid_output_key'],
    [{ storage: 'archive', key: '{name}' }, ['body', 'output', 'key'], 'invalid_output_key'],
    [{ storage: 'archive', key: '' }, ['body', 'output', 'key'], 'invalid_output_key'],
    [{ storage: 'archive', key: 'x'.repeat(980) }, ['body', 'output', 'key'], 'output_key_too_long'],
    [{ storage: 'archive', kee: 'x' }, ['body', 'output', 'kee'], 'unknown_field'],
  ])('to %j is refused and charges nothing', async (output, loc, type) => {
    const person = await registerConnected()
    const answer = await submit(person, { output })
    expect([answer.status, answer.faults[0]?.loc, answer.faults[0]?.type]).toEqual([422, loc, type])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test('to a connection of another account or without an account is refused', async () => {
    await registerConnected()
    const stranger = await register(testContext)
    const { url } = await upload(testContext, stranger, MP4)
    const theirs = await submit(stranger, { params: { file_url: url }, output: { storage: 'archive' } })
    expect([theirs.status, theirs.faults[0]?.type]).toEqual([422, 'unknown_storage_connection'])
    const file = await upload(testContext, null, MP4)
    const body = { ...COMPRESS, file_url: file.url, output: { storage: 'archive' } }
    const anonymous = await call('POST', '/api/v1/studio/run', { body })
    expect([anonymous.status, anonymous.faults[0]?.type]).toEqual([422, 'output_needs_account'])
  })
})
