import { describe, expect, test } from 'vitest'
import { found, makeTestContext, publicUrl } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  COMPRESS_LINK,
  completeLink,
  LINKS,
  makeLink,
  newCallerHeaders,
  SESSIONS,
  sendByLink,
  showSession,
} from '../../test/edge/worker/links.ts'
import { ledgerOf, makeKey, register } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

describe('a new link', () => {
  test('shows its page and its secret once, and charges nothing', async () => {
    const person = await register(testContext)
    const { token } = person
    const before = Date.now()
    const { status, json } = await call('POST', SESSIONS, { token, body: COMPRESS_LINK })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...COMPRESS_LINK,
      status: 'pending',
      allowed_mime_types: ['video/*'],
      job_id: null,
      result: null,
      error: null,
      note: null,
      webhook_url: null,
    })
    expect(json.token).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(json.upload_url).toBe(`${publicUrl()}/send#${json.token}`)
    const lives_ms = Date.parse(json.expires_at) - before
    expect(Math.abs(lives_ms - 86_400_000)).toBeLessThan(10_000)
    const shown = await call('GET', `${SESSIONS}/${json.id}`, { token })
    const { token: _token, upload_url: _url, ...session } = json
    expect(shown.json).toEqual(session)
    const { rows } = await testContext.deps.db.$client.execute({
      sql: 'SELECT * FROM upload_sessions WHERE id = ?',
      args: [json.id],
    })
    expect(JSON.stringify(rows)).not.toContain(json.token)
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test('is created by a session on one route, and also by a key on the other', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    expect((await call('POST', SESSIONS, { key, body: COMPRESS_LINK })).status).toBe(401)
    expect((await call('POST', SESSIONS, { body: COMPRESS_LINK })).status).toBe(401)
    expect((await call('POST', `${SESSIONS}/api`, { body: COMPRESS_LINK })).status).toBe(401)
    for (const credential of [{ key }, { token: person.token }]) {
      const answer = await call('POST', `${SESSIONS}/api`, { ...credential, body: COMPRESS_LINK })
      expect([answer.status, answer.json.status]).toEqual([201, 'pending'])
    }
  })

  test('keeps its requested options, except for the file, which is still to come', async () => {
    const { token } = await register(testContext)
    const wanted = {
      allowed_mime_types: ['video/mp4', 'video/quicktime'],
      max_size_bytes: 1000,
      expires_in: 60,
      note: ' The clip of Saturday ',
      params: { level: 'light', file_url: 'https://example.org/other.mp4' },
    }
    const { json } = await call('POST', SESSIONS, { token, body: { ...COMPRESS_LINK, ...wanted } })
    expect(json).toMatchObject({
      allowed_mime_types: ['video/mp4', 'video/quicktime'],
      max_size_bytes: 1000,
      note: 'The clip of Saturday',
      params: { level: 'light' },
    })
    expect(json.params.file_url).toBeUndefined()
  })

  test('is capped at the size limit of the service', async () => {
    const { token } = await register(testContext)
    const { json } = await call('POST', SESSIONS, {
      token,
      body: { ...COMPRESS_LINK, max_size_bytes: 2 ** 50 },
    })
    expect(json.max_size_bytes).toBe(5 * 1024 ** 3 - 5 * 1024 ** 2)
  })

  test.each([
    [{ service_slug: 'sound' }, 404, 'unknown_service'],
    [{ operation_key: 'fly' }, 400, 'unknown_operation'],
    [
      { operation_key: 'link_info', params: { url: 'https://example.org/watch' } },
      400,
      'operation_takes_link',
    ],
    [{ params: { level: 'enormous' } }, 400, 'invalid_params'],
    [{ allowed_mime_types: ['video/mp4', 'image/png'] }, 400, 'wrong_file_kind'],
    [{ allowed_mime_types: ['text/html'] }, 400, 'wrong_file_kind'],
  ])('is refused for %j', async (wanted, status, code) => {
    const { token } = await register(testContext)
    const answer = await call('POST', SESSIONS, { token, body: { ...COMPRESS_LINK, ...wanted } })
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  test.each([
    [{ expires_in: 59 }, 'expires_in'],
    [{ expires_in: 604_801 }, 'expires_in'],
    [{ max_size_bytes: 0 }, 'max_size_bytes'],
    [{ allowed_mime_types: [] }, 'allowed_mime_types'],
    [{ allowed_mime_types: ['films'] }, 'allowed_mime_types'],
    [{ webhook_url: 'http://127.0.0.1/hook' }, 'webhook_url'],
    [{ note: 'x'.repeat(501) }, 'note'],
  ])('with %j is 422', async (wanted, field) => {
    const { token } = await register(testContext)
    const answer = await call('POST', SESSIONS, { token, body: { ...COMPRESS_LINK, ...wanted } })
    expect([answer.status, answer.faults[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
  })

  test('is created once per Idempotency-Key, and a repetition gets the same response', async () => {
    const { token } = await register(testContext)
    const headers = { 'idempotency-key': 'one' }
    const first = await call('POST', SESSIONS, { token, body: COMPRESS_LINK, headers })
    const second = await call('POST', SESSIONS, { token, body: COMPRESS_LINK, headers })
    expect(second.json).toEqual(first.json)
    expect((await call('GET', SESSIONS, { token })).json).toHaveLength(1)
    const other = await call('POST', SESSIONS, { token, body: { ...COMPRESS_LINK, expires_in: 60 }, headers })
    expect(other.status).toBe(422)
  })

  test('cannot be created or used during maintenance; reads work', async () => {
    const open = makeTestContext()
    const person = await register(open)
    const link = await makeLink(open, person)
    const closed = await makeLimitedContext({
      maintenance: true,
      maintenance_message: 'Back at noon.',
      requests_per_minute_free: 1_000_000,
    })
    const body = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 10 }
    const refused = [
      await closed.call('POST', SESSIONS, { token: person.token, body: COMPRESS_LINK }),
      await closed.call('POST', `${SESSIONS}/api`, { token: person.token, body: COMPRESS_LINK }),
      await closed.call('POST', `${link.path}/presign`, { body, headers: newCallerHeaders() }),
      await closed.call('POST', `${link.path}/complete`, { body: {}, headers: newCallerHeaders() }),
      await closed.call('POST', `${link.path}/file`, {
        content: new FormData(),
        headers: newCallerHeaders(),
      }),
    ]
    for (const { status, json } of refused) {
      expect([status, json.code]).toEqual([503, 'maintenance'])
    }
    expect((await closed.call('GET', link.path, { headers: newCallerHeaders() })).status).toBe(200)
    expect((await closed.call('GET', SESSIONS, { token: person.token })).status).toBe(200)
  })
})

describe('upload sessions', () => {
  test('are listed newest first, by page, only to their owner', async () => {
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const made = []
    for (const note of ['first', 'second', 'third']) made.push(await makeLink(testContext, person, { note }))
    const list = async (query: string) =>
      (await call('GET', `${SESSIONS}?${query}`, { token: person.token })).json.map(
        ({ id }: { id: string }) => id,
      )
    const ids = made.map(({ id }) => id)
    const all = await list('')
    expect([...all].sort()).toEqual([...ids].sort())
    expect([...(await list('limit=2')), ...(await list('limit=2&offset=2'))]).toEqual(all)
    expect((await call('GET', SESSIONS, { token: stranger.token })).json).toEqual([])
    const crossTenant = await call('GET', `${SESSIONS}/${ids[0]}`, { token: stranger.token })
    expect(crossTenant.status).toBe(404)
    expect((await call('DELETE', `${SESSIONS}/${ids[0]}`, { token: stranger.token })).status).toBe(404)
    expect((await call('GET', `${SESSIONS}?limit=0`, { token: person.token })).status).toBe(422)
    expect((await call('GET', `${SESSIONS}?offset=-1`, { token: person.token })).status).toBe(422)
  })

  test('expire on time, when they are next read', async () => {
    const timed = await makeLimitedContext()
    const person = await register(timed)
    const [unused, begun] = [
      await makeLink(timed, person, { expires_in: 60 }),
      await makeLink(timed, person, { expires_in: 60 }),
    ]
    await sendByLink(timed, begun)
    timed.clock.now += 59_999
    expect((await showSession(timed, person, unused)).status).toBe('pending')
    expect((await showSession(timed, person, begun)).status).toBe('uploading')
    timed.clock.now += 1
    const listed = (await timed.call('GET', SESSIONS, { token: person.token })).json
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(['expired', 'expired'])
    for (const link of [unused, begun]) {
      expect((await timed.call('GET', link.path, { headers: newCallerHeaders() })).status).toBe(410)
      expect((await completeLink(timed, link)).status).toBe(410)
    }
    const { rows } = await timed.deps.db.$client.execute({
      sql: 'SELECT DISTINCT status FROM upload_sessions WHERE account_id = ?',
      args: [person.id],
    })
    expect(rows.map(({ status }) => status)).toEqual(['expired'])
  })

  test.each([
    ['done', null],
    ['failed', 'this file cannot be read as a video'],
    ['canceled', null],
  ])('follow the state of their job: %s', async (status, error) => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    expect((await completeLink(testContext, link, await sendByLink(testContext, link))).status).toBe(201)
    const { job_id: shown_id, status: before } = await showSession(testContext, person, link)
    const job_id = found(shown_id)
    expect(before).toBe('processing')
    if (status === 'canceled') await call('POST', `/api/v1/jobs/${job_id}/cancel`, { token: person.token })
    else await report(testContext, finished(job_id, status === 'done' ? doneOutcome(job_id, 61) : FAILED))
    const [listed] = (await call('GET', SESSIONS, { token: person.token })).json
    const job = (await call('GET', `/api/v1/jobs/${job_id}`, { token: person.token })).json
    expect(listed).toMatchObject({ status, error, job_id, result: job.result })
    expect(await showSession(testContext, person, link)).toEqual(listed)
    const current = (await call('GET', `${link.path}/status`)).json
    expect(current).toMatchObject({ status, error })
    expect(Object.keys(current).sort()).toEqual(['error', 'expires_at', 'status'])
  })
})

describe('a withdrawn link', () => {
  test('accepts nothing; withdrawing it again succeeds', async () => {
    const person = await register(testContext)
    const { token } = person
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link)
    expect((await call('DELETE', `${SESSIONS}/${link.id}`, { token })).status).toBe(204)
    expect((await call('DELETE', `${SESSIONS}/${link.id}`, { token })).status).toBe(204)
    expect((await showSession(testContext, person, link)).status).toBe('canceled')
    const answers = [
      await call('GET', link.path),
      await completeLink(testContext, link, key),
      await call('POST', `${link.path}/presign`, {
        body: { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1 },
      }),
    ]
    for (const { status, json } of answers) {
      expect([status, json.code]).toEqual([410, 'upload_link_withdrawn'])
    }
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test('is 409 once its file was accepted: only the job can be canceled', async () => {
    const person = await register(testContext)
    const { token } = person
    const link = await makeLink(testContext, person)
    await completeLink(testContext, link, await sendByLink(testContext, link))
    expect((await call('DELETE', `${SESSIONS}/${link.id}`, { token })).status).toBe(409)
    const { job_id: shown_id } = await showSession(testContext, person, link)
    const job_id = found(shown_id)
    await call('POST', `/api/v1/jobs/${job_id}/cancel`, { token })
    expect((await call('GET', link.path)).status).toBe(409)
    expect((await call('DELETE', `${SESSIONS}/${link.id}`, { token })).status).toBe(409)
  })

  test('and a concurrent file: exactly one of them wins', async () => {
    for (let round = 0; round < 6; round++) {
      const person = await register(testContext)
      const link = await makeLink(testContext, person)
      const key = await sendByLink(testContext, link)
      const [withdrawn, completed] = await Promise.all([
        call('DELETE', `${SESSIONS}/${link.id}`, { token: person.token }),
        completeLink(testContext, link, key),
      ])
      const { status } = await showSession(testContext, person, link)
      const { balance } = await ledgerOf(testContext, person)
      const isAccepted = completed.status === 201
      expect([withdrawn.status, completed.status, status, balance]).toEqual(
        isAccepted ? [409, 201, 'processing', 18] : [204, 410, 'canceled', 20],
      )
    }
  })
})

test('an unknown secret is 404', async () => {
  for (const path of [`${LINKS}/x`, `${LINKS}/x/status`]) {
    expect((await call('GET', path)).status).toBe(404)
  }
  expect((await call('POST', `${LINKS}/x/complete`, { body: {} })).status).toBe(404)
})

describe('the open links of an account', () => {
  const fill = (id: number, count: number, params: object) =>
    deps.db.$client.execute({
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO upload_sessions (id, account_id, token_hash, status, service_slug, operation_key, params,
          allowed_mime_types, max_size_bytes, created_at, expires_at)
        SELECT 'filled-' || ?2 || '-' || i, ?2, 'hash-' || ?2 || '-' || i, 'pending', 'video', 'compress', ?3, '[]', 1, ?4, ?4 + 60000
        FROM n`,
      args: [count, id, JSON.stringify(params), Date.now()],
    })

  test.each([
    ['1,000 links', 999, {}],
    ['4 MiB of parameters', 8, { note: 'x'.repeat(512 * 1024 - 20) }],
  ])('are limited to %s, also concurrently; withdrawn ones make room', async (_limit, count, params) => {
    const person = await register(testContext)
    await fill(person.id, count, params)
    const body = { ...COMPRESS_LINK, params: count === 999 ? {} : { level: 'medium' } }
    const create = () => call('POST', SESSIONS, { token: person.token, body })
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 409)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_upload_links']))
    expect([made.length + refused.length, made.length > 0]).toEqual([12, true])
    await call('DELETE', `${SESSIONS}/${made[0]?.json.id}`, { token: person.token })
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
  })
})
