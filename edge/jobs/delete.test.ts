import { env as platform } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import {
  fileUrl,
  giveCredits,
  ledgerOf,
  type Person,
  register,
  SUBMISSION,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { moveOldJobs } from '../archive/move-jobs.ts'

const { TEST_ARCHIVE_URL } = platform as unknown as Record<string, string>
const testContext = makeTestContext({ ARCHIVE_DATABASE_URL: TEST_ARCHIVE_URL })
const { call, deps } = testContext
const { BUCKET } = deps.env
const JOBS = '/api/v1/jobs'

let person: Person
beforeAll(async () => {
  person = await register(testContext)
  await giveCredits(testContext, person, 1000)
})

const query = async (sql: string, ...args: (string | number)[]) =>
  (await deps.db.$client.execute({ sql, args })).rows

async function submit(file_url: string, fields: object = {}): Promise<string> {
  const body = { ...SUBMISSION, params: { file_url }, ...fields }
  const answer = await call('POST', JOBS, { token: person.token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.json.id
}

/** Ends a job and stores its result. Returns the key of the result. */
async function finish(id: string): Promise<string> {
  await report(testContext, finished(id, doneOutcome(id, 1)))
  const key = `results/${id}/1001/clip.mp4`
  await BUCKET.put(key, MP4.bytes)
  return key
}

const remove = (id: string, { token }: Person = person) => call('DELETE', `${JOBS}/${id}`, { token })
const exists = async (key: string) => (await BUCKET.head(key)) !== null

describe('deleting a job', () => {
  test('removes its result, its source and its content, and keeps what accounting needs', async () => {
    const source = await upload(testContext, person, MP4)
    const id = await submit(source.url, { tag: 'secret-tag', metadata: { name: 'secret' } })
    const result = await finish(id)
    const before = await ledgerOf(testContext, person)
    const usage = await query('SELECT count(*) AS total FROM usage_events WHERE job_id = ?', id)
    expect((await remove(id)).status).toBe(204)
    expect([await exists(result), await exists(source.key)]).toEqual([false, false])
    const shown = [
      await call('GET', `${JOBS}/${id}`, { token: person.token }),
      await call('POST', `${JOBS}/${id}/repeat`, { token: person.token }),
      await remove(id),
    ]
    expect(shown.map(({ code }) => code)).toEqual(Array(3).fill('job_not_found'))
    for (const filter of ['', '&tag=secret-tag', '&status=done']) {
      const list = await call('GET', `${JOBS}?limit=200${filter}` as '/api/v1/jobs', { token: person.token })
      expect(list.json.map((job) => job.id)).not.toContain(id)
    }
    const [row] = await query('SELECT * FROM jobs WHERE id = ?', id)
    expect(JSON.stringify(row)).not.toMatch(/secret|clip|uploads\//)
    expect(row).toMatchObject({ status: 'done', final_cost: expect.any(Number) })
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect(await query('SELECT count(*) AS total FROM usage_events WHERE job_id = ?', id)).toEqual(usage)
  })

  test('keeps a source that another job uses, until that one is deleted too', async () => {
    const { url, key } = await upload(testContext, person, MP4)
    const [first, second] = [await submit(url), await submit(url)]
    await finish(first)
    expect([(await remove(first)).status, await exists(key)]).toEqual([204, true])
    await report(testContext, finished(second, FAILED))
    expect([(await remove(second)).status, await exists(key)]).toEqual([204, false])
  })

  test('together with the other jobs that use the source also removes the source', async () => {
    const { url, key } = await upload(testContext, person, MP4)
    const ids = [await submit(url), await submit(url), await submit(url)]
    for (const id of ids) await report(testContext, finished(id, FAILED))
    const answers = await Promise.all(ids.map((id) => remove(id)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await exists(key)).toBe(false)
  })

  test('is refused while the job is open, and while an open job reads its result', async () => {
    const { url } = await upload(testContext, person, MP4)
    const id = await submit(url)
    expect([(await remove(id)).status, (await remove(id)).code]).toEqual([409, 'job_not_finished'])
    const result = await finish(id)
    await query('UPDATE jobs SET result_id = ? WHERE id = ?', id, id)
    const reader = await submit(fileUrl(result))
    expect((await remove(id)).code).toBe('file_in_use')
    await call('POST', `${JOBS}/${reader}/cancel`, { token: person.token })
    expect((await remove(id)).status).toBe(204)
  })

  test('of another account or without one is 404', async () => {
    const { url } = await upload(testContext, person, MP4)
    const id = await submit(url)
    await finish(id)
    const stranger = await register(testContext)
    expect((await remove(id, stranger)).code).toBe('job_not_found')
    expect((await call('DELETE', `${JOBS}/${id}`)).status).toBe(401)
    expect((await call('GET', `${JOBS}/${id}`, { token: person.token })).status).toBe(200)
  })

  test('also deletes an archived job', async () => {
    const { url } = await upload(testContext, person, MP4)
    const id = await submit(url, { tag: 'archived-secret' })
    await report(testContext, finished(id, FAILED))
    await query('UPDATE jobs SET finished_at = 1, created_at = 1, final_cost = 0 WHERE id = ?', id)
    await moveOldJobs(deps)
    expect(await query('SELECT 1 FROM jobs WHERE id = ?', id)).toEqual([])
    expect([(await remove(id)).status, (await remove(id)).status]).toEqual([204, 404])
    const { rows } = await found(deps.archive).$client.execute({
      sql: 'SELECT * FROM jobs WHERE id = ?',
      args: [id],
    })
    expect(JSON.stringify(rows)).not.toContain('archived-secret')
    expect((await call('GET', `${JOBS}/${id}`, { token: person.token })).status).toBe(404)
  })
})

describe('deleting an upload', () => {
  const removeUpload = (key: string, { token }: Person = person) =>
    call('DELETE', `/api/v1/uploads/${encodeURIComponent(key)}`, { token })

  test('removes its file, once, and its bytes no longer count', async () => {
    const { url, key } = await upload(testContext, person, { ...MP4, filename: 'відео a.mp4' })
    expect((await removeUpload(key)).status).toBe(204)
    expect(await exists(key)).toBe(false)
    expect((await removeUpload(key)).code).toBe('upload_not_found')
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect((await call('POST', JOBS, { token: person.token, body })).code).toBe('invalid_file_url')
  })

  test('that is sent in parts aborts it', async () => {
    const body = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 10 }
    const started = await call('POST', '/api/v1/uploads/multipart/create', { token: person.token, body })
    const { key, upload_id } = started.json
    expect((await removeUpload(key)).status).toBe(204)
    const parts = BUCKET.resumeMultipartUpload(key, upload_id)
    await expect(parts.uploadPart(1, new Uint8Array(10))).rejects.toThrow()
  })

  test('is refused while an open job reads it, and for other accounts', async () => {
    const { url, key } = await upload(testContext, person, MP4)
    const id = await submit(url)
    expect((await removeUpload(key)).code).toBe('file_in_use')
    expect((await removeUpload(key, await register(testContext))).code).toBe('upload_not_found')
    await finish(id)
    expect([(await removeUpload(key)).status, await exists(key)]).toEqual([204, false])
    expect((await call('GET', `${JOBS}/${id}`, { token: person.token })).status).toBe(200)
  })
})
