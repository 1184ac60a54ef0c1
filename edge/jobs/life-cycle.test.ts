import { describe, expect, test } from 'vitest'
import { submitAnonymously } from '../../test/edge/worker/anonymous.ts'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import {
  fileUrl,
  ledgerOf,
  makeKey,
  register,
  SUBMISSION,
  showJob,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report, started } from '../../test/edge/worker/reports.ts'
import { resendEffects } from '../platform/outbox/send.ts'
import { uploadQuery } from '../uploads/queries.ts'
import { purgeExpired } from './purge.ts'

const testContext = makeTestContext()
const { call } = testContext
const HOUR_MS = 60 * 60 * 1000

const status = async (method: string, path: string, options = {}) =>
  (await call(method, path, options)).status
const exists = async (key: string) => (await testContext.deps.env.BUCKET.head(key)) !== null

/** Finishes a job, stores its result file, and returns the file's key. */
async function finishWithFile(id: string): Promise<string> {
  const outcome = doneOutcome(id, 1)
  const [file] = outcome.status === 'done' ? outcome.files : []
  const key = file?.key ?? ''
  await testContext.deps.storage.put(key, new Blob(['bytes']), 'video/mp4')
  expect((await report(testContext, finished(id, outcome))).status).toBe(200)
  return key
}

describe('a quote', () => {
  test('returns the base, the maximum and the balance, and charges nothing', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const before = await ledgerOf(testContext, person)
    for (const credential of [{ token: person.token }, { key }]) {
      const body = { ...SUBMISSION, duration_seconds: 61.5 }
      const answer = await call('POST', '/api/v1/jobs/quote', { ...credential, body })
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          base_credits: 2,
          max_credits: 30,
          balance: 20,
          affordable: true,
          max_duration_seconds: 1800,
          too_long: false,
          estimated_seconds: expect.any(Number),
          estimated_credits: expect.any(Number),
          estimated_from: 'typical_figures',
          assumed_duration_seconds: 61.5,
        },
      ])
    }
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token: person.token })).json).toEqual([])
  })

  test.each([
    ['video/compress', undefined, false, 1800],
    ['video/compress', 1800, false, 1800],
    ['video/compress', 1800.1, true, 1800],
    // An image has no duration, even if one is declared.
    ['image/convert', 86_400, false, null],
    ['video/link_info', 86_400, false, null],
  ])(
    'with %s of %s s is too long: %s',
    async (operation, duration_seconds, too_long, max_duration_seconds) => {
      const { token } = await register(testContext)
      const [service_slug, operation_key] = operation.split('/')
      const params = operation.includes('link') ? { url: 'https://videos.example/1' } : {}
      const body = { service_slug, operation_key, params, duration_seconds }
      const answer = await call('POST', '/api/v1/jobs/quote', { token, body })
      expect([answer.status, answer.json]).toMatchObject([200, { max_duration_seconds, too_long }])
    },
  )

  test('needs no file, and reports an insufficient balance', async () => {
    const person = await register(testContext)
    for (let count = 0; count < 10; count++) await submit(testContext, person)
    const body = { service_slug: 'video', operation_key: 'compress' }
    const answer = await call('POST', '/api/v1/jobs/quote', { token: person.token, body })
    expect(answer.json).toMatchObject({ balance: 0, affordable: false })
  })

  test.each([
    [{ operation_key: 'fly' }, 400],
    [{ service_slug: 'sound' }, 404],
    [{ params: { level: 'enormous' } }, 400],
    [{ duration_seconds: -1 }, 422],
    [{ duration_seconds: 'long' }, 422],
  ])('refuses %j as a submission does', async (changed, expected) => {
    const { token } = await register(testContext)
    expect(await status('POST', '/api/v1/jobs/quote', { token, body: { ...SUBMISSION, ...changed } })).toBe(
      expected,
    )
  })
})

describe('repeating', () => {
  test.each(['done', 'failed', 'canceled', 'queued'])('a %s job charges a new job', async (state) => {
    const person = await register(testContext)
    const { token } = person
    const { url } = await upload(testContext, person, MP4)
    const params = { file_url: url, level: 'strong' }
    const first = (await call('POST', '/api/v1/jobs', { token, body: { ...SUBMISSION, params } })).json
    if (state === 'done') await report(testContext, finished(first.id, doneOutcome(first.id, 1)))
    if (state === 'failed') await report(testContext, finished(first.id, FAILED))
    if (state === 'canceled') await call('POST', `/api/v1/jobs/${first.id}/cancel`, { token })
    const { balance } = await ledgerOf(testContext, person)
    const answer = await call('POST', `/api/v1/jobs/${first.id}/repeat`, { token })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ status: 'queued', repeat_of: first.id, params, result: null })
    expect(answer.json.id).not.toBe(first.id)
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: balance - 2 })
  })

  test('works with an API key, and the new job is refunded when it fails', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    const again = (await call('POST', `/api/v1/jobs/${id}/repeat`, { key })).json
    expect(again.source).toBe('api')
    await report(testContext, finished(again.id, FAILED))
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test("is refused for another account's job, even to an administrator, and for an unknown one", async () => {
    const id = await submit(testContext, await register(testContext))
    const { token } = await register(testContext)
    const email = `${crypto.randomUUID()}@example.com`
    const administered = makeTestContext({ ADMIN_EMAILS: email })
    const body = { email, password: 'correct horse battery' }
    const admin = (await administered.call('POST', '/api/v1/auth/register', { body })).json.access_token
    for (const [job, credential] of [
      [id, token],
      [id, admin],
      [crypto.randomUUID(), token],
    ]) {
      expect(await status('POST', `/api/v1/jobs/${job}/repeat`, { token: credential })).toBe(404)
    }
    expect(await status('POST', `/api/v1/jobs/${id}/repeat`)).toBe(401)
  })

  test('is 400 when the file has expired and 402 without credits, and neither charges', async () => {
    const person = await register(testContext)
    const { token } = person
    const { url, key } = await upload(testContext, person, MP4)
    const body = { ...SUBMISSION, params: { file_url: url } }
    const { id } = (await call('POST', '/api/v1/jobs', { token, body })).json
    const sql = 'UPDATE uploads SET expires_at = 0 WHERE key = ?'
    await testContext.deps.db.$client.execute({ sql, args: [key] })
    expect(await status('POST', `/api/v1/jobs/${id}/repeat`, { token })).toBe(400)
    const other = await submit(testContext, person)
    for (let count = 0; count < 8; count++) await submit(testContext, person)
    expect(await status('POST', `/api/v1/jobs/${other}/repeat`, { token })).toBe(402)
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 0 })
  })
})

describe('marking as delivered', () => {
  test('removes the source and result of an anonymous job before the response', async () => {
    const source = await upload(testContext, null, MP4)
    const id = await submitAnonymously(testContext, source)
    const result = await finishWithFile(id)
    const answer = await call('POST', `/api/v1/jobs/${id}/delivered`)
    expect([answer.status, answer.json]).toEqual([200, { purged: true }])
    expect([await exists(source.key), await exists(result)]).toEqual([false, false])
    expect(await status('GET', new URL(fileUrl(result)).pathname)).toBe(404)
    const job = (await call('GET', `/api/v1/jobs/${id}`)).json
    expect(job).toMatchObject({ status: 'done', result: null, result_purged_at: expect.any(String) })
    expect((await call('POST', `/api/v1/jobs/${id}/delivered`)).json).toEqual({ purged: true })
  })

  test('leaves the job of an account unchanged', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    const result = await finishWithFile(id)
    for (const credential of [{ token: person.token }, { key }]) {
      const answer = await call('POST', `/api/v1/jobs/${id}/delivered`, credential)
      expect([answer.status, answer.json]).toEqual([200, { purged: false }])
    }
    expect([await exists(result), (await showJob(testContext, person, id)).result !== null]).toEqual([
      true,
      true,
    ])
  })

  test('is 409 while the job runs and 404 for other callers', async () => {
    const running = await submitAnonymously(testContext, await upload(testContext, null, MP4))
    expect(await status('POST', `/api/v1/jobs/${running}/delivered`)).toBe(409)
    const owned = await submit(testContext, await register(testContext))
    const { token } = await register(testContext)
    expect(await status('POST', `/api/v1/jobs/${owned}/delivered`)).toBe(404)
    expect(await status('POST', `/api/v1/jobs/${owned}/delivered`, { token })).toBe(404)
    expect(await status('POST', `/api/v1/jobs/${crypto.randomUUID()}/delivered`)).toBe(404)
  })
})

describe("an anonymous caller's job", () => {
  test('can be read and canceled with its id alone', async () => {
    const id = await submitAnonymously(testContext, await upload(testContext, null, MP4))
    expect((await call('GET', `/api/v1/jobs/${id}`)).json).toMatchObject({ id, status: 'queued' })
    await report(testContext, started(id))
    const canceled = await call('POST', `/api/v1/jobs/${id}/cancel`)
    expect([canceled.status, canceled.json.status, canceled.json.final_cost]).toEqual([200, 'canceled', 0])
    await testContext.settled()
    const sent = await testContext.fleet.requests()
    expect(sent.filter(({ path, body }) => path === 'cancel' && body.job_id === id)).toHaveLength(1)
    expect(await status('POST', `/api/v1/jobs/${id}/cancel`)).toBe(409)
  })

  test('reveals nothing about jobs of accounts', async () => {
    const id = await submit(testContext, await register(testContext))
    for (const job of [id, crypto.randomUUID()]) {
      const answer = await call('GET', `/api/v1/jobs/${job}`)
      expect([answer.status, answer.json.code]).toEqual([401, 'missing_api_key'])
      expect(await status('POST', `/api/v1/jobs/${job}/cancel`)).toBe(401)
      expect(await status('GET', `/api/v1/jobs/${job}/events`)).toBe(401)
    }
  })
})

describe('the purge', () => {
  const expire = (table: 'jobs' | 'uploads', id: string, at: number) =>
    testContext.deps.db.$client.execute({
      sql: `UPDATE ${table} SET expires_at = ? WHERE ${table === 'jobs' ? 'id' : 'key'} = ?`,
      args: [at, id],
    })

  test('removes expired results and uploads, not earlier, and marks them', async () => {
    const person = await register(testContext)
    const unused = await upload(testContext, person, MP4)
    const id = await submit(testContext, person)
    const result = await finishWithFile(id)
    const done = await showJob(testContext, person, id)
    await purgeExpired(testContext.deps)
    expect([await exists(result), await exists(unused.key)]).toEqual([true, true])
    await expire('jobs', id, Date.now() - 61_000)
    await expire('uploads', unused.key, Date.now() - 61_000)
    await purgeExpired(testContext.deps)
    expect([await exists(result), await exists(unused.key)]).toEqual([false, false])
    expect(await showJob(testContext, person, id)).toEqual({
      ...done,
      result: null,
      result_purged_at: expect.any(String),
    })
    const path = `/api/v1/uploads/download?url=${encodeURIComponent(found(done.result).url)}`
    expect(await status('GET', path, { token: person.token })).toBe(404)
  })

  test('waits for a job that was submitted shortly before its upload expires', async () => {
    const person = await register(testContext)
    const { url, key } = await upload(testContext, person, MP4)
    await expire('uploads', key, Date.now() + 5000)
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect(await status('POST', '/api/v1/jobs', { token: person.token, body })).toBe(201)
    const [row] = await uploadQuery(testContext.deps.db, key)
    expect((row?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(5.9 * HOUR_MS)
  })

  test('removes results that are too large to be loaded together', async () => {
    const person = await register(testContext)
    const keys: string[] = []
    for (let count = 0; count < 3; count++) {
      const id = await submit(testContext, person)
      keys.push(await finishWithFile(id))
      const sql = "UPDATE jobs SET result = json_set(result, '$.body.text', hex(zeroblob(2e6))) WHERE id = ?"
      await testContext.deps.db.$client.execute({ sql, args: [id] })
      await expire('jobs', id, 0)
    }
    await purgeExpired(testContext.deps)
    expect(await Promise.all(keys.map(exists))).toEqual([false, false, false])
  })

  test('removes uploads even when a result is unreadable, and reports the failure', async () => {
    const person = await register(testContext)
    const unused = await upload(testContext, person, MP4)
    await expire('uploads', unused.key, 0)
    const id = await submit(testContext, person)
    await finishWithFile(id)
    await expire('jobs', id, 0)
    const change = (result: string) =>
      testContext.deps.db.$client.execute({
        sql: 'UPDATE jobs SET result = ? WHERE id = ?',
        args: [result, id],
      })
    await change('{')
    try {
      await expect(purgeExpired(testContext.deps)).rejects.toThrow('Failed query')
      expect(await exists(unused.key)).toBe(false)
    } finally {
      await change('{}')
    }
  })

  test('is continued by the outbox when storage fails', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const result = await finishWithFile(id)
    await expire('jobs', id, 0)
    const { deps } = testContext
    const failing = { ...deps.storage, remove: () => Promise.reject(new Error('storage is down')) }
    await expect(purgeExpired({ ...deps, storage: failing })).rejects.toThrow('storage is down')
    expect(await exists(result)).toBe(true)
    const sql = "UPDATE outbox SET due_at = 0 WHERE kind = 'purge' AND payload LIKE ?"
    await deps.db.$client.execute({ sql, args: [`%${result}%`] })
    // Also sends effects that earlier tests in this workerd process left in the database; those may fail.
    await Promise.allSettled([resendEffects(deps)])
    expect(await exists(result)).toBe(false)
  })
})
