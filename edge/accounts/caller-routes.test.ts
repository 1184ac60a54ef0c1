import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4, PNG } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { formOf } from '../../test/edge/worker/links.ts'
import { makeKey, type Person, register, SUBMISSION, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { usageEvents } from '../tables.ts'

const testContext = makeTestContext()
const { call } = testContext

const get = async <Address extends string>({ token }: Person, path: Address) =>
  (await call('GET', `/api/v1/me/${path}` as const, { token })).json

describe('usage', () => {
  test('lists every event of the account, newest first, with the credits charged or refunded', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    await call('POST', '/api/v1/uploads', { token: person.token, content: formOf(PNG) })
    const done = await submit(testContext, person)
    await report(testContext, finished(done, doneOutcome(done, 61)))
    const failed = (await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION })).json.id
    await report(testContext, finished(failed, FAILED))
    const canceled = await submit(testContext, person)
    await call('POST', `/api/v1/jobs/${canceled}/cancel`, { token: person.token })
    const events = await get(person, 'usage')
    const job = { service_slug: 'video', operation_key: 'compress' }
    expect(events.map(({ id, created_at, ...event }: Record<string, unknown>) => event)).toEqual([
      { ...job, source: 'web', action: 'canceled', job_id: canceled, credits: -2 },
      { ...job, source: 'web', action: 'submit', job_id: canceled, credits: 2 },
      { ...job, source: 'api', action: 'failed', job_id: failed, credits: -2 },
      { ...job, source: 'api', action: 'submit', job_id: failed, credits: 2 },
      { ...job, source: 'web', action: 'done', job_id: done, credits: 1 },
      { ...job, source: 'web', action: 'submit', job_id: done, credits: 2 },
      { source: 'web', action: 'upload', service_slug: null, operation_key: null, job_id: null, credits: 0 },
    ])
    expect(await get(person, 'usage?source=api')).toEqual(events.slice(2, 4))
    expect(await get(person, 'usage?action=submit&limit=1&offset=1')).toEqual([events[3]])
    expect(await get(person, 'usage?action=nothing')).toEqual([])
    expect(await get(await register(testContext), 'usage')).toEqual([])
    expect(await get(person, 'usage/summary')).toEqual({
      days: 30,
      submissions: 3,
      credits: 3,
      done: 1,
      failed: 1,
      canceled: 1,
      by_operation: [{ ...job, submissions: 3, credits: 3 }],
    })
  })

  test('counts a report that is received twice as one event', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const raw = finished(id, doneOutcome(id, 1))
    await Promise.all(Array.from({ length: 5 }, () => report(testContext, raw, { id: `${id}-end` })))
    expect(await get(person, 'usage')).toHaveLength(2)
  })

  test('covers the last thirty days in its summary', async () => {
    const person = await register(testContext)
    for (let count = 0; count < 2; count++) await submit(testContext, person)
    const id = await submit(testContext, person)
    const args = [Date.now() - 30 * 24 * 60 * 60 * 1000 - 1000, id]
    await testContext.deps.db.$client.execute({ sql: 'UPDATE jobs SET created_at = ? WHERE id = ?', args })
    expect((await get(person, 'usage/summary')).submissions).toBe(2)
  })

  test('is listed by time, even when commits overtake each other', async () => {
    const person = await register(testContext)
    const now = Date.now()
    const event = { accountId: person.id, source: 'web', action: 'upload', credits: 0 } as const
    const ages = [3000, 1000, 2000, 1000]
    await testContext.deps.db
      .insert(usageEvents)
      .values(ages.map((age) => ({ ...event, createdAt: now - age })))
    const events: { id: number; created_at: string }[] = await get(person, 'usage')
    expect(events.map(({ created_at }) => now - Date.parse(created_at))).toEqual([1000, 1000, 2000, 3000])
    expect(Number(events[0]?.id)).toBeGreaterThan(Number(events[1]?.id))
  })

  test('lists an upload once its file is first read, and only once under concurrent submits', async () => {
    const person = await register(testContext)
    const uploads = () => get(person, 'usage?action=upload')
    const { url } = await upload(testContext, person, MP4)
    expect(await uploads()).toEqual([])
    const body = { ...SUBMISSION, params: { file_url: url } }
    const submits = [1, 2].map(() => call('POST', '/api/v1/jobs', { token: person.token, body }))
    expect((await Promise.all(submits)).map(({ status }) => status)).toEqual([201, 201])
    await testContext.settled()
    expect((await call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
    await testContext.settled()
    expect(await uploads()).toMatchObject([{ source: 'web', job_id: null, credits: 0 }])
  })

  test.each(['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'source=cli', `action=${'x'.repeat(17)}`])(
    'refuses %s with 422',
    async (query) => {
      const { token } = await register(testContext)
      const answer = await call('GET', `/api/v1/me/usage?${query}`, { token })
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', query.split('=')[0]]])
    },
  )
})

describe('favorites', () => {
  const add = ({ token }: Person, body: object) => call('POST', '/api/v1/me/favorites', { token, body })
  const order = async (person: Person) =>
    (await get(person, 'favorites')).map(({ operation_id }: { operation_id: number }) => operation_id)

  async function liveTools(): Promise<
    { operation_id: number; service_slug: string; operation_key: string }[]
  > {
    const tools = (await call('GET', '/api/v1/studio/tools')).json
    return tools.filter(({ enabled }: { enabled: boolean }) => enabled)
  }

  test('are added by id or by slug and key, kept in order, and added only once', async () => {
    const person = await register(testContext)
    const [one, two, three] = await liveTools()
    if (!one || !two || !three) throw new Error('there are too few tools')
    const first = await add(person, { operation_id: one.operation_id })
    expect([first.status, first.json]).toMatchObject([201, { operation_key: one.operation_key, position: 0 }])
    const { service_slug, operation_key } = two
    expect((await add(person, { service_slug, operation_key })).json).toMatchObject({
      operation_id: two.operation_id,
      position: 1,
    })
    await add(person, { operation_id: three.operation_id })
    const again = await add(person, { operation_id: one.operation_id })
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(await order(person)).toEqual([one, two, three].map(({ operation_id }) => operation_id))
    expect(await order(await register(testContext))).toEqual([])
  })

  test('are reordered, ignoring tools that are not favorites', async () => {
    const person = await register(testContext)
    const ids = (await liveTools()).slice(0, 4).map(({ operation_id }) => operation_id)
    for (const operation_id of ids.slice(0, 3)) await add(person, { operation_id })
    const [one, two, three, other] = ids
    const answer = await call('PATCH', '/api/v1/me/favorites/reorder', {
      token: person.token,
      body: { operation_ids: [three, other, 999_999, one] },
    })
    expect(answer.status).toBe(200)
    expect(answer.json.map(({ operation_id, position }) => [operation_id, position])).toEqual([
      [three, 0],
      [one, 1],
      [two, 2],
    ])
    expect(await order(person)).toEqual([three, one, two])
  })

  test('are removed; a repeated removal succeeds', async () => {
    const person = await register(testContext)
    const [tool] = await liveTools()
    await add(person, { operation_id: tool?.operation_id })
    const remove = () => call('DELETE', `/api/v1/me/favorites/${tool?.operation_id}`, { token: person.token })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
    expect(await order(person)).toEqual([])
  })

  test('are added once by ten concurrent requests for one tool', async () => {
    const person = await register(testContext)
    const [tool] = await liveTools()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => add(person, { operation_id: tool?.operation_id })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(await order(person)).toHaveLength(1)
  })

  test.each([
    [{ operation_id: 999_999 }],
    [{ service_slug: 'video', operation_key: 'nothing' }],
    [{ service_slug: 'video', operation_key: 'download_video' }],
  ])('are refused with 404 for %j, which names no live tool', async (body) => {
    expect((await add(await register(testContext), body)).status).toBe(404)
  })

  test.each([
    [{}, 'operation_id'],
    [{ operation_id: 'x' }, 'operation_id'],
    [{ service_slug: 'video' }, 'operation_key'],
    [{ operation_key: 'compress' }, 'service_slug'],
    [{ service_slug: '', operation_key: 'compress' }, 'service_slug'],
  ])('are refused with 422 for %j: %s', async (body, field) => {
    const answer = await add(await register(testContext), body)
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('are added by id and key when both name the same tool, and refused when they differ', async () => {
    const person = await register(testContext)
    const [one, two] = await liveTools()
    if (!one || !two) throw new Error('there are too few tools')
    const { operation_id, service_slug, operation_key } = one
    const other = { operation_id: two.operation_id, service_slug, operation_key }
    const refused = await add(person, other)
    expect([refused.status, refused.faults[0]?.loc]).toEqual([422, ['body', 'operation_id']])
    expect(await order(person)).toEqual([])
    expect((await add(person, { operation_id, service_slug, operation_key })).status).toBe(201)
    expect(await order(person)).toEqual([operation_id])
  })
})

describe('features', () => {
  test('are readable without credentials', async () => {
    const anonymous = await call('GET', '/api/v1/me/features')
    expect(anonymous.status).toBe(200)
    expect(anonymous.json).toMatchObject({ features: { webhooks: true }, segments: ['anonymous'] })
    const { token } = await register(testContext)
    const known = await call('GET', '/api/v1/me/features', { token })
    expect(known.json.segments).toEqual(['account', 'unverified'])
    expect((await call('GET', '/api/v1/me/features', { token: 'a.b.c' })).status).toBe(401)
  })

  test('are switched on by segment', async () => {
    const headers = { 'cf-connecting-ip': freshAddress() }
    const early = await makeLimitedContext({ feature_switches: { editor: ['account'], beta: false } })
    expect((await early.call('GET', '/api/v1/me/features', { headers })).json.features).toEqual({
      editor: false,
      beta: false,
    })
    const { token } = await register(early)
    const answer = await early.call('GET', '/api/v1/me/features', { token })
    expect(answer.json.features).toEqual({ editor: true, beta: false })
  })
})
