import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, makeKey, type Person, register, showJob } from '../../test/edge/worker/people.ts'
import { publicFiles } from '../../test/edge/worker/studio.ts'
import { jobQuery } from '../jobs/queries.ts'
import { templates, templateVersions } from '../tables.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const file_url = 'https://media.example.org/clip.mp4'
const TRIM = { operation_key: 'trim', params: { start: 0, duration: 15 } }
const COMPRESS = { operation_key: 'compress', params: { level: 'medium' } }
const TEASER = { service_slug: 'video', operations: [TRIM, COMPRESS] }

const save = ({ token }: Person, name: string, body: object = TEASER) =>
  call('PUT', `/api/v1/templates/${name}`, { token, body })
const submit = ({ token }: Person, name: string, body: object, headers = {}) =>
  call('POST', `/api/v1/templates/${name}/jobs`, { token, body: { file_url, ...body }, headers })

describe('saving a template', () => {
  test('creates version 1, and a further one only if the content changes', async () => {
    const person = await register(testContext)
    const first = await save(person, 'teaser', { ...TEASER, description: 'For the newsletter' })
    expect([first.status, first.json]).toEqual([
      200,
      {
        name: 'teaser',
        description: 'For the newsletter',
        version: 1,
        ...TEASER,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    const reordered = { operation_key: 'trim', params: { duration: 15, start: 0 } }
    const same = await save(person, 'teaser', { ...TEASER, operations: [reordered, COMPRESS] })
    expect(same.json).toMatchObject({ version: 1, description: null, ...TEASER })
    const changed = { ...TEASER, operations: [COMPRESS] }
    expect((await save(person, 'teaser', changed)).json).toMatchObject({ version: 2, ...changed })
    const { key } = await makeKey(testContext, person)
    const shown = await call('GET', '/api/v1/templates/teaser', { key })
    expect(shown.json).toMatchObject({
      version: 2,
      versions: [
        { version: 2, ...changed },
        { version: 1, ...TEASER },
      ],
    })
    const old = await call('GET', '/api/v1/templates/teaser/versions/1', { key })
    expect(old.json).toMatchObject({ version: 1, ...TEASER })
    const list = await call('GET', '/api/v1/templates', { key })
    expect(list.json.map(({ name, version }) => [name, version])).toEqual([['teaser', 2]])
  })

  test('concurrently gives every content its own version', async () => {
    const person = await register(testContext)
    const contents = [1, 2, 3, 4].map((duration) => ({
      ...TEASER,
      operations: [{ ...TRIM, params: { start: 0, duration } }],
    }))
    const answers = await Promise.all(contents.map((content) => save(person, 'teaser', content)))
    expect(answers.map(({ json }) => json.version).toSorted()).toEqual([1, 2, 3, 4])
  })

  test.each<[string, object, number, string]>([
    ['an unknown service', { service_slug: 'audio' }, 404, 'unknown_service'],
    ['an unknown operation', { operations: [{ operation_key: 'shrink' }] }, 400, 'unknown_operation'],
    ['an invalid parameter', { operations: [{ ...TRIM, params: { start: -1 } }] }, 400, 'invalid_params'],
    [
      'an invalid parameter of a later operation',
      { operations: [TRIM, { ...COMPRESS, params: { level: 'x' } }] },
      400,
      'invalid_params',
    ],
    [
      'params that are too large',
      { operations: [{ ...TRIM, params: { a: 'x'.repeat(70_000) } }] },
      400,
      'params_too_large',
    ],
    ['no operation', { operations: [] }, 422, 'validation_failed'],
    ['too many operations', { operations: Array(22).fill(COMPRESS) }, 422, 'validation_failed'],
    ['a file', { operations: [{ ...TRIM, params: { file_url } }] }, 422, 'validation_failed'],
    [
      'a pipeline in params',
      { operations: [{ ...TRIM, params: { operations: [] } }] },
      422,
      'validation_failed',
    ],
    ['an unknown field', { webhook_url: 'https://example.org' }, 422, 'validation_failed'],
  ])('refuses %s', async (_what, given, status, code) => {
    const person = await register(testContext)
    const answer = await save(person, 'teaser', { ...TEASER, ...given })
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await call('GET', '/api/v1/templates', { token: person.token })).json).toEqual([])
  })

  test.each(['Teaser', '-a', '_a', 'a.b', 'a%20b', 'x'.repeat(65), '%F0%9F%92%B3'])(
    'refuses the name %s',
    async (name) => {
      const answer = await save(await register(testContext), name)
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['path', 'template_name']])
    },
  )

  test('is limited to 100 templates, and 100 versions of each', async () => {
    const person = await register(testContext)
    const named = (name: string, version: number) => ({ accountId: person.id, name, version, createdAt: 1 })
    const content = { serviceSlug: 'video', operations: [COMPRESS] }
    const names = Array.from({ length: 99 }, (_, index) => `t${index}`)
    await deps.db.insert(templates).values(names.map((name) => ({ ...named(name, 100), updatedAt: 1 })))
    await deps.db.insert(templateVersions).values(names.map((name) => ({ ...named(name, 100), ...content })))
    const answers = await Promise.all(['a', 'b'].map((name) => save(person, name)))
    expect(answers.map(({ status, code }) => [status, code]).toSorted()).toEqual([
      [200, undefined],
      [409, 'too_many_templates'],
    ])
    const full = await save(person, 't0')
    expect([full.status, full.code]).toEqual([409, 'too_many_template_versions'])
    expect((await save(person, 't0', { ...TEASER, operations: [COMPRESS] })).json.version).toBe(100)
  })
})

test('the templates of an account are limited to 4 MiB with all versions, also concurrently', async () => {
  const person = await register(testContext)
  const row = { accountId: person.id, name: 'large', createdAt: 1 }
  const stages = { operation_key: 'compress', params: { level: 'x'.repeat(4 * 1024 ** 2 - 300) } }
  await deps.db.insert(templates).values({ ...row, version: 1, updatedAt: 1 })
  const content = { serviceSlug: 'video', operations: [stages] }
  await deps.db.insert(templateVersions).values({ ...row, version: 1, ...content })
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'large'].map((name) => save(person, name)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(answers.length)
  for (const { status, code } of refused) expect([status, code]).toEqual([409, 'templates_too_large'])
  const sql = 'SELECT sum(octet_length(operations)) AS bytes FROM template_versions WHERE account_id = ?'
  const [sum] = (await deps.db.$client.execute({ sql, args: [person.id] })).rows
  expect(Number(sum?.bytes)).toBeLessThanOrEqual(4 * 1024 ** 2)
})

describe('a job of a template', () => {
  test('expands to a pipeline, and is charged like any job', async () => {
    const person = await register(testContext)
    await save(person, 'teaser')
    const labels = { tag: 'a', metadata: { b: 1 } }
    const answer = await submit(person, 'teaser', { params: { duration: 10 }, filename: 'spring', ...labels })
    expect([answer.status, answer.json]).toEqual([
      201,
      expect.objectContaining({
        service_slug: 'video',
        operation_key: 'trim',
        params: { start: 0, duration: 10, operations: [COMPRESS], file_url },
        template: { name: 'teaser', version: 1 },
        estimated_cost: 2,
        ...labels,
      }),
    ])
    const [row] = await jobQuery(deps.db, answer.json.id)
    expect(row?.dispatch).toMatchObject({ filename: 'spring', pipeline: [{ operation_key: 'compress' }] })
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 18, check: { ok: true } })
    const repeated = await call('POST', `/api/v1/jobs/${answer.json.id}/repeat`, { token: person.token })
    expect(repeated.json).toMatchObject({ template: { name: 'teaser', version: 1 }, ...labels })
    const [again] = await jobQuery(deps.db, repeated.json.id)
    expect(again?.dispatch.filename).toBe('spring')
  })

  test('uses the latest version or the one named, and outlives its template', async () => {
    const person = await register(testContext)
    await save(person, 'teaser')
    await save(person, 'teaser', { ...TEASER, operations: [COMPRESS] })
    const latest = await submit(person, 'teaser', {})
    expect(latest.json).toMatchObject({ operation_key: 'compress', template: { version: 2 } })
    const first = await submit(person, 'teaser', { version: 1 })
    expect(first.json).toMatchObject({ operation_key: 'trim', template: { version: 1 } })
    const deleted = await call('DELETE', '/api/v1/templates/teaser', { token: person.token })
    expect(deleted.status).toBe(204)
    expect(await showJob(testContext, person, first.json.id)).toEqual(first.json)
    expect((await submit(person, 'teaser', {})).code).toBe('template_not_found')
    expect((await save(person, 'teaser')).json.version).toBe(1)
  })

  test('is submitted once per Idempotency-Key', async () => {
    const person = await register(testContext)
    await save(person, 'teaser')
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await submit(person, 'teaser', {}, headers)
    const again = await submit(person, 'teaser', {}, headers)
    expect([again.status, again.json]).toEqual([201, first.json])
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test('of a link operation takes a url', async () => {
    const person = await register(testContext)
    const saved = await save(person, 'info', {
      service_slug: 'video',
      operations: [{ operation_key: 'link_info' }],
    })
    expect(saved.status, saved.text).toBe(200)
    const url = 'https://videos.example.org/watch?v=1'
    const path = '/api/v1/templates/info/jobs'
    const answer = await call('POST', path, { token: person.token, body: { url } })
    expect([answer.status, answer.json.params]).toEqual([201, { url }])
  })

  test.each<[string, object, number, string]>([
    ['an unknown version', { version: 7 }, 404, 'template_not_found'],
    ['an invalid override', { params: { start: 'x' } }, 400, 'invalid_params'],
    ['an overridden pipeline', { params: { operations: [] } }, 422, 'validation_failed'],
    ['an overridden file', { params: { file_url } }, 422, 'validation_failed'],
    ['two inputs', { url: file_url }, 422, 'validation_failed'],
    ['no input', { file_url: undefined }, 422, 'validation_failed'],
    ['a private file', { file_url: 'http://127.0.0.1/a.mp4' }, 400, 'invalid_file_url'],
    ['a template of its own', { template: { name: 'a', version: 1 } }, 422, 'validation_failed'],
  ])('is refused with %s, and nothing is charged', async (_what, body, status, code) => {
    const person = await register(testContext)
    await save(person, 'teaser')
    const answer = await submit(person, 'teaser', body)
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })
})

test('a batch of a template runs it on each file, and repeats with it', async () => {
  const person = await register(testContext)
  await save(person, 'teaser')
  const body = { file_urls: publicFiles(2), params: { duration: 5 }, tag: 'a' }
  const path = '/api/v1/templates/teaser/batches'
  const batch = await call('POST', path, { token: person.token, body })
  const template = { name: 'teaser', version: 1 }
  expect([batch.status, batch.json]).toEqual([
    201,
    expect.objectContaining({
      operation_key: 'trim',
      params: { start: 0, duration: 5, operations: [COMPRESS] },
      ...{ total: 2, template, tag: 'a' },
    }),
  ])
  expect(batch.json.jobs).toMatchObject([{ template }, { template }])
  const repeated = await call('POST', `/api/v1/studio/batches/${batch.json.id}/repeat`, {
    token: person.token,
  })
  expect(repeated.json).toMatchObject({ template, jobs: [{ template }, { template }] })
  expect((await ledgerOf(testContext, person)).balance).toBe(12)
})

test('templates of another account are unknown, and can have the same name', async () => {
  const [owner, stranger] = [await register(testContext), await register(testContext)]
  await save(owner, 'teaser')
  const { token } = stranger
  const path = '/api/v1/templates/teaser'
  for (const answer of [
    await call('GET', path, { token }),
    await call('GET', `${path}/versions/1`, { token }),
    await call('DELETE', path, { token }),
    await submit(stranger, 'teaser', {}),
    await call('POST', `${path}/batches`, { token, body: { file_urls: publicFiles(1) } }),
  ]) {
    expect([answer.status, answer.code]).toEqual([404, 'template_not_found'])
  }
  expect((await save(stranger, 'teaser', { ...TEASER, operations: [COMPRESS] })).json.version).toBe(1)
  expect((await call('GET', path, { token: owner.token })).json).toMatchObject(TEASER)
})
