import { describe, expect, test } from 'vitest'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import { type CallOptions, found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  fileUrl,
  giveCredits,
  ledgerOf,
  makeKey,
  register,
  showJob,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { COMPRESS } from '../../test/edge/worker/studio.ts'
import { jobQuery } from '../jobs/queries.ts'

const testContext = makeTestContext()
const { call } = testContext
const RUN = '/api/v1/studio/run'
const file_url = 'https://media.example.org/clip.mp4'
const REQUEST = { ...COMPRESS, file_url }

async function readDispatch(id: string): Promise<Dispatch> {
  return Dispatch.parse((await jobQuery(testContext.deps.db, id))[0]?.dispatch)
}

async function findTool(operation_key: string) {
  const tools = (await call('GET', '/api/v1/studio/tools')).json
  return tools.find((tool: { operation_key: string }) => tool.operation_key === operation_key)
}

describe('a run of an account', () => {
  test('creates a regular job, by session or key', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const bySession = await call('POST', RUN, { token: person.token, body: REQUEST })
    const byKey = await call('POST', RUN, { key, body: REQUEST })
    expect([bySession.status, byKey.status]).toEqual([201, 201])
    expect(bySession.json.job).toMatchObject({
      ...COMPRESS,
      status: 'queued',
      source: 'web',
      estimated_cost: 2,
    })
    expect(bySession.json.job.params).toEqual({ file_url })
    expect(byKey.json.job.source).toBe('api')
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 16, check: { ok: true } })
    await report(testContext, finished(bySession.json.job.id, doneOutcome(bySession.json.job.id, 61)))
    expect(await showJob(testContext, person, bySession.json.job.id)).toMatchObject({
      status: 'done',
      final_cost: 3,
    })
  })

  test('names its operation by id, with a preset as defaults of its params', async () => {
    const { token } = await register(testContext)
    const tool = found(await findTool('compress'))
    const preset = found(tool.config.presets[0])
    const body = { operation_id: tool.operation_id, file_url, preset: 0, params: { crf: 33 } }
    const answer = await call('POST', RUN, { token, body })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json.job.params).toEqual({ ...preset.params, crf: 33, file_url })
  })

  test('accepts a link for a link operation', async () => {
    const { token } = await register(testContext)
    const url = 'https://videos.example.org/watch?v=1'
    const body = { service_slug: 'video', operation_key: 'link_info', url }
    const answer = await call('POST', RUN, { token, body })
    expect([answer.status, answer.json.job?.params]).toEqual([201, { url }])
  })

  test('happens once per Idempotency-Key', async () => {
    const person = await register(testContext)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await call('POST', RUN, { token: person.token, body: REQUEST, headers })
    const again = await call('POST', RUN, { token: person.token, body: REQUEST, headers })
    expect([again.status, again.json]).toEqual([201, first.json])
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test.each([
    [{ ...REQUEST, operation_id: 1 }, 'operation_id'],
    [{ file_url }, 'service_slug'],
    [{ service_slug: 'video', file_url }, 'operation_key'],
    [{ operation_key: 'compress', file_url }, 'service_slug'],
    [{ operation_id: 0, file_url }, 'operation_id'],
    [{ operation_id: 1.5, file_url }, 'operation_id'],
    [{ ...REQUEST, url: file_url }, 'url'],
    [{ ...REQUEST, file_url: '' }, 'file_url'],
    [{ ...REQUEST, file_url: 7 }, 'file_url'],
    [{ ...REQUEST, preset: -1 }, 'preset'],
    [{ ...REQUEST, preset: 99 }, 'preset'],
    [{ ...REQUEST, webhook_url: 'http://127.0.0.1/x' }, 'webhook_url'],
  ])('refuses the malformed %j', async (body, field) => {
    const person = await register(testContext)
    const answer = await call('POST', RUN, { token: person.token, body })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test.each([
    [{ operation_id: 999_999, file_url }, 400, 'unknown_operation'],
    [{ ...REQUEST, operation_key: 'none' }, 400, 'unknown_operation'],
    [{ ...REQUEST, service_slug: 'audio' }, 404, 'unknown_service'],
    [{ ...COMPRESS }, 400, 'invalid_file_url'],
    [{ ...COMPRESS, url: file_url }, 400, 'invalid_params'],
    [{ ...REQUEST, params: { crf: 1000 } }, 400, 'invalid_params'],
    [{ ...REQUEST, file_url: 'http://10.0.0.1/a.mp4' }, 400, 'invalid_file_url'],
  ])('refuses %j with %i, and charges nothing', async (body, status, code) => {
    const person = await register(testContext)
    const answer = await call('POST', RUN, { token: person.token, body })
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test('requires credits', async () => {
    const limited = await makeLimitedContext({ daily_free_credits: 0 })
    const person = await register(limited)
    expect((await limited.call('POST', RUN, { token: person.token, body: REQUEST })).status).toBe(402)
    await giveCredits(limited, person, 2)
    expect((await limited.call('POST', RUN, { token: person.token, body: REQUEST })).status).toBe(201)
  })
})

describe('an anonymous run', () => {
  const from = (address: string, more: Record<string, string> = {}) => ({
    headers: { 'cf-connecting-ip': address, ...more },
  })

  test('is free, has the lower ceiling, and its id reads and cancels it and removes its files', async () => {
    const here = from(freshAddress())
    const { url, key } = await upload(testContext, null, MP4, here.headers)
    const answer = await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...here })
    expect(answer.status, answer.text).toBe(201)
    const { id, estimated_cost } = answer.json.job
    expect(estimated_cost).toBe(0)
    expect((await jobQuery(testContext.deps.db, id))[0]?.accountId).toBeNull()
    expect(await readDispatch(id)).toMatchObject({
      tier: 'anonymous',
      priority: 200,
      max_input_seconds: 600,
      source: { kind: 'object', key },
    })
    await report(testContext, finished(id, doneOutcome(id, 300)))
    const shown = await call('GET', `/api/v1/jobs/${id}`)
    expect(shown.json).toMatchObject({ status: 'done', final_cost: 0, result: { filename: 'clip.mp4' } })
    expect((await call('POST', `/api/v1/jobs/${id}/delivered`)).json).toEqual({ purged: true })
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test('returns a result URL that reveals neither the job id nor its source', async () => {
    const here = from(freshAddress())
    const { url } = await upload(testContext, null, MP4, here.headers)
    const run = await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...here })
    const { id } = run.json.job
    const { result_id = '' } = await readDispatch(id)
    await report(testContext, finished(id, doneOutcome(result_id, 1)))
    const key = `results/${result_id}/1001/clip.mp4`
    await testContext.deps.storage.put(key, new Blob(['x']), 'video/mp4')
    const { result } = (await call('GET', `/api/v1/jobs/${id}`)).json
    expect(result?.url).toBe(fileUrl(key))
    expect((await call('GET', `/files/${key}`)).text).toBe('x')
    expect(result?.url).not.toContain(id)
    for (const segment of key.split('/')) {
      expect((await call('GET', `/api/v1/jobs/${segment}`)).status).toBe(401)
      expect((await call('POST', `/api/v1/jobs/${segment}/delivered`)).status).toBe(404)
    }
  })

  test('is limited to two open jobs per address, even concurrently', async () => {
    const address = freshAddress()
    const limited = await makeLimitedContext()
    const run = (more: Record<string, string> = {}) =>
      limited.call('POST', RUN, { body: REQUEST, ...from(address, more) })
    const answers = await Promise.all(Array.from({ length: 10 }, () => run()))
    const accepted = answers.filter(({ status }) => status === 201)
    expect([accepted.length, answers.filter(({ status }) => status === 429).length]).toEqual([2, 8])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json.code).toBe('too_many_jobs_in_flight')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    // A different anonymous id does not raise the limit, but a different address counts as a different caller.
    expect((await run({ 'x-anonymous-id': crypto.randomUUID() })).status).toBe(429)
    expect((await limited.call('POST', RUN, { body: REQUEST, ...from(freshAddress()) })).status).toBe(201)
    const cancel = await limited.call(
      'POST',
      `/api/v1/jobs/${accepted[0]?.json.job.id}/cancel`,
      from(address),
    )
    expect(cancel.json).toMatchObject({ status: 'canceled', final_cost: 0 })
    expect((await run()).status).toBe(201)
  })

  test('marked as delivered keeps a source that another open job of the caller uses', async () => {
    const here = from(freshAddress())
    const { url, key } = await upload(testContext, null, MP4, here.headers)
    const run = async () =>
      (await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...here })).json.job.id
    const [first, second] = [await run(), await run()]
    const clear = (id: string) => call('POST', `/api/v1/jobs/${id}/delivered`)
    await report(testContext, finished(first, doneOutcome(first, 1)))
    expect((await clear(first)).json).toEqual({ purged: true })
    expect(await testContext.deps.storage.peek(key, 1)).not.toBeNull()
    await report(testContext, finished(second, doneOutcome(second, 1)))
    expect((await clear(second)).json).toEqual({ purged: true })
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test('marked as delivered keeps a result that another open job of the caller uses', async () => {
    const here = from(freshAddress())
    const run = async (url: string) =>
      (await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...here })).json.job.id
    const finish = async (id: string) =>
      report(testContext, finished(id, doneOutcome((await readDispatch(id)).result_id ?? '', 1)))
    const clear = async (id: string) => (await call('POST', `/api/v1/jobs/${id}/delivered`)).json
    const first = await run(file_url)
    await finish(first)
    const second = await run((await call('GET', `/api/v1/jobs/${first}`)).json.result?.url ?? '')
    expect(await clear(first)).toEqual({ purged: false })
    expect((await call('GET', `/api/v1/jobs/${first}`)).json.result).not.toBeNull()
    await finish(second)
    expect([await clear(first), await clear(second)]).toEqual([{ purged: true }, { purged: true }])
  })

  test('stores no plaintext address', async () => {
    const address = '203.0.113.77'
    const { json } = await call('POST', RUN, { body: REQUEST, ...from(address) })
    const args = [json.job.id]
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT * FROM jobs WHERE id = ?',
      args,
    })
    expect(JSON.stringify(rows)).not.toContain(address)
  })

  test('has no webhook, because nothing could sign it', async () => {
    const body = { ...REQUEST, webhook_url: 'https://hooks.example.org/x' }
    const answer = await call('POST', RUN, { body, ...from(freshAddress()) })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'webhook_url']])
  })

  test('refuses uploads and results of accounts', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, MP4)
    const answer = await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...from(freshAddress()) })
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_file_url'])
  })

  test('accepts uploads of its address without an X-Anonymous-Id until it signs in', async () => {
    const address = freshAddress()
    const { url } = await upload(testContext, null, MP4, from(address).headers)
    const body = { ...COMPRESS, file_url: url }
    const named = from(address, { 'x-anonymous-id': crypto.randomUUID() })
    expect((await call('POST', RUN, { body, ...named })).status).toBe(201)
    const { token } = await register(testContext)
    expect((await call('POST', RUN, { body, ...named, token })).status).toBe(400)
  })

  test('has private uploads, which stay available after sign-in', async () => {
    const mine = from(freshAddress(), { 'x-anonymous-id': crypto.randomUUID() })
    const moved = { headers: { ...mine.headers, 'cf-connecting-ip': freshAddress() } }
    const stranger = from(mine.headers['cf-connecting-ip'] ?? '', { 'x-anonymous-id': crypto.randomUUID() })
    const { token } = await register(testContext)
    const { url } = await upload(testContext, null, MP4, mine.headers)
    const run = async (options: CallOptions) => {
      const { status, json } = await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...options })
      return status === 400 ? json.code : status
    }
    expect([await run(mine), await run(moved), await run({ ...mine, token })]).toEqual([201, 201, 201])
    for (const other of [stranger, from(freshAddress()), { token }, { ...stranger, token }]) {
      expect(await run(other)).toBe('invalid_file_url')
    }
  })

  test('can use its result in its next job, also after sign-in', async () => {
    const mine = from(freshAddress(), { 'x-anonymous-id': crypto.randomUUID() })
    const moved = { headers: { ...mine.headers, 'cf-connecting-ip': freshAddress() } }
    const here = mine.headers['cf-connecting-ip'] ?? ''
    const stranger = from(here, { 'x-anonymous-id': crypto.randomUUID() })
    const { token } = await register(testContext)
    const { id } = (await call('POST', RUN, { body: REQUEST, ...mine })).json.job
    await report(testContext, finished(id, doneOutcome((await readDispatch(id)).result_id ?? '', 1)))
    const { url } = found((await call('GET', `/api/v1/jobs/${id}`, mine)).json.result)
    const run = async (options: CallOptions) =>
      (await call('POST', RUN, { body: { ...COMPRESS, file_url: url }, ...options })).status
    expect([await run(mine), await run(moved), await run({ ...mine, token })]).toEqual([201, 201, 201])
    const others = [stranger, from(here), from(freshAddress()), { token }, { ...stranger, token }]
    for (const other of others) expect(await run(other)).toBe(400)

    const key = new URL(url).pathname.slice('/files/'.length)
    await testContext.deps.storage.put(key, new Blob([MP4.bytes]), MP4.content_type)
    const download = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    expect((await call('GET', download, { ...mine, token })).status).toBe(200)
    for (const other of [{ token }, { ...stranger, token }])
      expect((await call('GET', download, other)).status).toBe(404)
  })

  test('can download its uploads after sign-in', async () => {
    const mine = from(freshAddress(), { 'x-anonymous-id': crypto.randomUUID() })
    const { token } = await register(testContext)
    const { url } = await upload(testContext, null, MP4, mine.headers)
    const download = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    expect((await call('GET', download, { ...mine, token })).status).toBe(200)
    expect((await call('GET', download, { token })).status).toBe(404)
  })

  test('with an invalid credential is 401 instead of anonymous', async () => {
    for (const credential of [{ token: 'a.b.c' }, { key: 'mk_unknown' }]) {
      expect((await call('POST', RUN, { ...credential, body: REQUEST })).status).toBe(401)
    }
  })
})
