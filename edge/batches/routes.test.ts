import { describe, expect, test } from 'vitest'
import { found, LOST_QUEUE, makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { MP4, PNG } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { giveCredits, ledgerOf, makeKey, register, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { COMPRESS, publicFiles, showBatch, submitBatch } from '../../test/edge/worker/studio.ts'

const testContext = makeTestContext()
const { call } = testContext
const BATCH = '/api/v1/studio/batch'

describe('a batch', () => {
  test('creates a job per file, each charged its base, in one commit', async () => {
    const person = await register(testContext)
    const body = {
      ...COMPRESS,
      params: { crf: 30 },
      files: [{ url: publicFiles(1)[0], filename: 'Моє відео.mp4' }, { url: publicFiles(2)[1] }],
    }
    const answer = await call('POST', BATCH, { token: person.token, body })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json).toMatchObject({
      ...COMPRESS,
      params: { crf: 30 },
      status: 'queued',
      total: 2,
      done: 0,
      failed: 0,
      canceled: 0,
      estimated_cost: 4,
      final_cost: null,
      error: null,
      finished_at: null,
    })
    const { id, jobs } = answer.json
    expect(jobs).toMatchObject([
      { status: 'queued', batch_id: id, params: { crf: 30, file_url: publicFiles(1)[0] }, estimated_cost: 2 },
      { status: 'queued', batch_id: id, params: { crf: 30, file_url: publicFiles(2)[1] }, estimated_cost: 2 },
    ])
    expect(await showBatch(testContext, person, id)).toEqual(answer.json)
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 16, check: { ok: true } })
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT dispatch FROM jobs WHERE batch_id = ? ORDER BY batch_position',
      args: [id],
    })
    expect(rows.map(({ dispatch }) => JSON.parse(String(dispatch)).filename)).toEqual([
      'Моє відео.mp4',
      'clip-1.mp4',
    ])
  })

  test('of 200 files is written in one commit and dispatched whole', async () => {
    const own = makeTestContext()
    const person = await register(own)
    await giveCredits(own, person, 1000)
    const batch = await submitBatch(own, person, 200)
    expect(batch.jobs.map(({ params }) => params.file_url)).toEqual(publicFiles(200))
    expect(await ledgerOf(own, person)).toMatchObject({ balance: 1020 - 400, check: { ok: true } })
    await own.settled()
    const args = [batch.id]
    const sql = `SELECT count(*) AS left FROM outbox WHERE id IN
      (SELECT 'dispatch:' || id || ':1' FROM jobs WHERE batch_id = ?)`
    await expect
      .poll(async () => Number((await own.deps.db.$client.execute({ sql, args })).rows[0]?.left), {
        timeout: 10_000,
      })
      .toBe(0)
    const canceled = await own.call('POST', `/api/v1/studio/batches/${batch.id}/cancel`, {
      token: person.token,
    })
    expect(canceled.json).toMatchObject({ status: 'canceled', canceled: 200, final_cost: 0 })
    expect(await ledgerOf(own, person)).toMatchObject({ balance: 1020, check: { ok: true } })
  })

  test('accepts uploads and results of its owner', async () => {
    const person = await register(testContext)
    const uploads = await Promise.all([upload(testContext, person, MP4), upload(testContext, person, MP4)])
    const body = { ...COMPRESS, file_urls: uploads.map(({ url }) => url) }
    const answer = await call('POST', BATCH, { token: person.token, body })
    expect([answer.status, answer.json.total]).toEqual([201, 2])
  })

  test('runs once per Idempotency-Key', async () => {
    const person = await register(testContext)
    const options = {
      token: person.token,
      body: { ...COMPRESS, file_urls: publicFiles(3) },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }
    const first = await call('POST', BATCH, options)
    const again = await call('POST', BATCH, options)
    expect([again.status, again.json]).toEqual([201, first.json])
    expect((await ledgerOf(testContext, person)).balance).toBe(14)
  })
})

describe('a refused batch', () => {
  test.each([
    [{ ...COMPRESS }, 'file_urls'],
    [{ ...COMPRESS, file_urls: [] }, 'file_urls'],
    [{ ...COMPRESS, files: [] }, 'files'],
    [{ ...COMPRESS, file_urls: publicFiles(201) }, 'file_urls'],
    [{ ...COMPRESS, file_urls: publicFiles(1), files: [{ url: 'https://a.example.org/b' }] }, 'file_urls'],
    [{ ...COMPRESS, operation_id: 1, file_urls: publicFiles(1) }, 'operation_id'],
    [{ file_urls: publicFiles(1) }, 'service_slug'],
    [{ ...COMPRESS, file_urls: publicFiles(1), preset: 77 }, 'preset'],
    [{ ...COMPRESS, file_urls: [7] }, 'file_urls'],
  ])('is malformed: %#', async (body, field) => {
    const { token } = await register(testContext)
    const answer = await call('POST', BATCH, { token, body })
    expect([answer.status, answer.faults[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
  })

  test.each([
    [{ operation_key: 'none' }, 400, 'unknown_operation'],
    [{ service_slug: 'audio' }, 404, 'unknown_service'],
    [{ operation_key: 'link_info' }, 400, 'operation_takes_link'],
    [{ params: { crf: 1000 } }, 400, 'invalid_params'],
    [{ file_urls: [...publicFiles(2), 'http://127.0.0.1/x'] }, 400, 'invalid_file_url'],
    [{ file_urls: Array(200).fill(`https://a.example.org/${'ї'.repeat(1000)}`) }, 400, 'params_too_large'],
  ])('is refused for %#, and nothing is charged', async (changed, status, code) => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 1000)
    const body = { ...COMPRESS, file_urls: publicFiles(1), ...changed }
    const answer = await call('POST', BATCH, { token: person.token, body })
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect((await ledgerOf(testContext, person)).balance).toBe(1020)
  })

  test('contains a file of another kind, of another account, or that was never uploaded', async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const picture = await upload(testContext, person, PNG)
    const crossTenant = await upload(testContext, stranger, MP4)
    const never = (
      await call('POST', '/api/v1/uploads/presign', {
        token: person.token,
        body: { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 10 },
      })
    ).json
    for (const [url, code] of [
      [picture.url, 'wrong_file_kind'],
      [crossTenant.url, 'invalid_file_url'],
      [never.url, 'invalid_file_url'],
    ] as const) {
      const files = [{ url: publicFiles(1)[0] }, { url }]
      const answer = await call('POST', BATCH, { token: person.token, body: { ...COMPRESS, files } })
      expect([answer.status, answer.json.code]).toEqual([400, code])
      expect(answer.json.detail).toContain('files.1.url')
    }
    expect((await call('GET', '/api/v1/studio/batches', { token: person.token })).json).toEqual([])
  })

  test('exceeds the balance: no file is charged', async () => {
    const person = await register(testContext)
    const body = { ...COMPRESS, file_urls: publicFiles(11) }
    const answer = await call('POST', BATCH, { token: person.token, body })
    expect([answer.status, answer.json.code]).toEqual([402, 'insufficient_credits'])
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 20, check: { ok: true } })
    await submitBatch(testContext, person, 10)
    expect((await ledgerOf(testContext, person)).balance).toBe(0)
  })

  test('exceeds the open jobs of the plan, even with concurrent batches', async () => {
    const limited = await makeLimitedContext({ in_flight_max_free: 5 }, { DISPATCH: LOST_QUEUE })
    const person = await register(limited)
    const id = await submit(limited, person)
    const tryFiles = (count: number) =>
      limited.call('POST', BATCH, {
        token: person.token,
        body: { ...COMPRESS, file_urls: publicFiles(count) },
      })
    const tooMany = await tryFiles(6)
    expect([tooMany.status, tooMany.faults[0]?.type]).toEqual([422, 'batch_too_large'])
    expect(tooMany.faults[0]?.msg).toMatch(/has 6 files.*allows 5/)
    expect(tooMany.headers.get('retry-after')).toBeNull()
    const answers = await Promise.all([tryFiles(2), tryFiles(2), tryFiles(2)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json.code).toBe('too_many_jobs_in_flight')
    expect(refused?.headers.get('retry-after')).toBe('10')
    await report(limited, finished(id, doneOutcome(id, 1)))
    expect([(await tryFiles(2)).status, (await tryFiles(1)).status]).toEqual([429, 201])
    expect((await ledgerOf(limited, person)).balance).toBe(20 - 2 - 8 - 2)
  })
})

describe('reading batches', () => {
  test("lists the account's own batches, newest first, by page", async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const { key } = await makeKey(testContext, person)
    const ids: string[] = []
    for (const count of [1, 2, 3]) ids.unshift((await submitBatch(testContext, person, count)).id)
    const list = async (query = '') => (await call('GET', `/api/v1/studio/batches?${query}`, { key })).json
    expect((await list()).map(({ id, total }) => [id, total])).toEqual([
      [ids[0], 3],
      [ids[1], 2],
      [ids[2], 1],
    ])
    expect((await list('limit=1&offset=1'))[0]?.id).toBe(ids[1])
    expect((await list('limit=1'))[0]?.jobs).toHaveLength(3)
    expect((await call('GET', '/api/v1/studio/batches', { token: stranger.token })).json).toEqual([])
    expect((await call('GET', '/api/v1/studio/batches')).status).toBe(401)
    for (const query of ['?limit=0', '?limit=201', '?offset=-1'])
      expect((await call('GET', `/api/v1/studio/batches${query}`, { key })).status).toBe(422)
  })

  test('lists as many as fit by default, and links to the next page', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    await giveCredits(testContext, person, 50)
    const ids: string[] = []
    for (let count = 0; count < 25; count++) ids.unshift((await submitBatch(testContext, person, 1)).id)
    const all = await call('GET', '/api/v1/studio/batches', { key })
    expect([all.json.length, nextQuery(all.headers)]).toEqual([25, undefined])
    const seen: string[] = []
    let query: string | undefined = 'limit=10'
    while (query !== undefined) {
      const page = await call('GET', `/api/v1/studio/batches?${query}`, { key })
      seen.push(...page.json.map(({ id }) => id))
      query = nextQuery(page.headers)
    }
    expect(seen).toEqual(ids)
  })

  test('filters by tag, operation and time, and pages by cursor', async () => {
    const { token } = await register(testContext)
    const ids: string[] = []
    for (const tag of ['a', 'b', 'a', 'a']) {
      const body = { ...COMPRESS, file_urls: publicFiles(1), tag }
      ids.unshift((await call('POST', BATCH, { token, body })).json.id)
    }
    const read = async (filter: string) => {
      const seen: string[] = []
      for (let rest: string | undefined = `limit=1&${filter}`; rest !== undefined; ) {
        const page = await call('GET', `/api/v1/studio/batches?${rest}`, { token })
        seen.push(...page.json.map(({ id }) => id))
        rest = nextQuery(page.headers)
      }
      return seen
    }
    expect(await read('')).toEqual(ids)
    expect(await read('tag=a&operation_key=compress')).toEqual([ids[0], ids[1], ids[3]])
    expect(await read('tag=a&operation_key=trim')).toEqual([])
    expect(await read('service_slug=image')).toEqual([])
    expect(await read('created_before=2026-01-01')).toEqual([])
  })

  test('names the failed file of a batch whose other files are done', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submitBatch(testContext, person, 3)
    const [failing, ...others] = jobs
    await report(testContext, finished(found(failing).id, FAILED))
    for (const job of others) await report(testContext, finished(job.id, doneOutcome(job.id, 1)))
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'done',
      failed: 1,
      error: 'clip-0.mp4: this file cannot be read as a video',
    })
  })

  test("responds 404 to another account's or an unknown batch, and 401 without credentials", async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const { id } = await submitBatch(testContext, person, 1)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['POST', '/repeat'],
    ] as const) {
      for (const name of [id, crypto.randomUUID(), '%00']) {
        const address = `/api/v1/studio/batches/${name}${path}`
        expect((await call(method, address, { token: stranger.token })).status).toBe(404)
        expect((await call(method, address)).status).toBe(401)
      }
    }
    expect((await showBatch(testContext, person, id)).status).toBe('queued')
  })
})

describe('repeating a batch', () => {
  test('runs the same files and operation again, and charges again', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, MP4)
    const files = [{ url, filename: 'first.mp4' }, { url: publicFiles(1)[0] }]
    const body = { ...COMPRESS, params: { crf: 30 }, files }
    const { id } = (await call('POST', BATCH, { token: person.token, body })).json
    const options = { token: person.token, headers: { 'idempotency-key': crypto.randomUUID() } }
    const again = await call('POST', `/api/v1/studio/batches/${id}/repeat`, options)
    expect(again.status, again.text).toBe(201)
    expect(again.json).toMatchObject({ repeat_of: id, status: 'queued', total: 2, params: { crf: 30 } })
    expect(again.json.id).not.toBe(id)
    expect(again.json.jobs.map((job: { params: object }) => job.params)).toEqual(
      files.map((file) => ({ crf: 30, file_url: file.url })),
    )
    expect((await call('POST', `/api/v1/studio/batches/${id}/repeat`, options)).json).toEqual(again.json)
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 12, check: { ok: true } })
  })

  test('is refused when a source has expired or credits are short', async () => {
    const person = await register(testContext)
    const { url, key } = await upload(testContext, person, MP4)
    const body = { ...COMPRESS, files: [{ url, filename: 'mine.mp4' }] }
    const { id } = (await call('POST', BATCH, { token: person.token, body })).json
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE uploads SET expires_at = 1 WHERE key = ?',
      args: [key],
    })
    const gone = await call('POST', `/api/v1/studio/batches/${id}/repeat`, { token: person.token })
    expect([gone.status, gone.json.code]).toEqual([400, 'invalid_file_url'])
    const { id: dear } = await submitBatch(testContext, person, 9)
    const poor = await call('POST', `/api/v1/studio/batches/${dear}/repeat`, { token: person.token })
    expect([poor.status, (await ledgerOf(testContext, person)).balance]).toEqual([402, 0])
  })
})

describe('an anonymous batch', () => {
  test('is free; its id reads and cancels it, and the ids of its jobs remove their files', async () => {
    const headers = { 'cf-connecting-ip': freshAddress() }
    const body = { ...COMPRESS, file_urls: publicFiles(2) }
    const { status, json } = await call('POST', BATCH, { body, headers })
    expect([status, json.estimated_cost]).toEqual([201, 0])
    const first = found(json.jobs[0])
    await report(testContext, finished(first.id, doneOutcome(first.id, 300)))
    expect(await showBatch(testContext, null, json.id)).toMatchObject({ status: 'processing', done: 1 })
    const canceled = await call('POST', `/api/v1/studio/batches/${json.id}/cancel`)
    expect(canceled.json).toMatchObject({ status: 'canceled', done: 1, canceled: 1, final_cost: 0 })
    expect((await call('POST', `/api/v1/jobs/${first.id}/delivered`)).json).toEqual({ purged: true })
    expect((await call('POST', `/api/v1/studio/batches/${json.id}/repeat`)).status).toBe(401)
  })

  test('is limited to the open jobs of an anonymous caller', async () => {
    const headers = { 'cf-connecting-ip': freshAddress() }
    const limited = await makeLimitedContext()
    const body = { ...COMPRESS, file_urls: publicFiles(3) }
    const answer = await limited.call('POST', BATCH, { body, headers })
    expect([answer.status, answer.faults[0]?.type]).toEqual([422, 'batch_too_large'])
  })
})
