/** @module-tag extended */

import { beforeAll, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { ResponseBody } from '../../test/edge/worker/answers.ts'
import { makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import type { StoredBatch } from '../batches/queries.ts'
import { pageIds } from '../platform/database/filtered-list.ts'
import { batches, jobs } from '../tables.ts'
import { filterJobs } from './filter-queries.ts'
import { jobsQuery, readJobs } from './list-queries.ts'
import { newJob, type StoredJob } from './queries.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const LONG = 'x'.repeat(60_000)
/**
 * A database response is limited to 10 MB. This many rows exceed it even without their dispatches, which double the
 * size.
 */
const COUNT = 190

let person: Person
const batchId = crypto.randomUUID()

function longJob(index: number, given: Partial<StoredJob>): StoredJob {
  const params = { file_url: `https://media.example.org/${index}.mp4`, text: LONG }
  return {
    ...newJob({
      id: crypto.randomUUID(),
      accountId: person.id,
      serviceSlug: 'video',
      operationKey: 'compress',
      params,
      dispatch: { ...params, filename: `clip-${index}.mp4` } as Partial<Dispatch> as Dispatch,
      source: 'api',
      repeatOf: null,
      estimatedCost: 2,
      tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
      createdAt: Date.now() + index,
    }),
    status: 'failed',
    error: 'it could not be read',
    finishedAt: Date.now(),
    ...given,
  }
}

const batchOf = (owner: Person, given: Partial<StoredBatch>): StoredBatch => ({
  id: crypto.randomUUID(),
  accountId: owner.id,
  serviceSlug: 'video',
  operationKey: 'compress',
  params: {},
  total: 1,
  stopped: null,
  error: null,
  webhookUrl: null,
  tag: null,
  metadata: {},
  template: null,
  repeatOf: null,
  createdAt: 0,
  ...given,
})

/** Inserts jobs in as few statements as the size of a request allows. */
async function insertJobs(rows: readonly ReturnType<typeof longJob>[], at_once = 20): Promise<void> {
  for (let from = 0; from < rows.length; from += at_once)
    await deps.db.insert(jobs).values(rows.slice(from, from + at_once))
}

beforeAll(async () => {
  person = await register(testContext)
  const createdAt = Date.now()
  await deps.db.insert(batches).values(batchOf(person, { id: batchId, total: COUNT, createdAt }))
  await insertJobs(upTo(COUNT).map((index) => longJob(index, {})))
  await insertJobs(upTo(COUNT).map((index) => longJob(index, { batchId, batchPosition: index, createdAt })))
})

type Job = ResponseBody<'GET', '/api/v1/jobs'>[number]

const numbersOf = (shown: Pick<Job, 'params'>[]) =>
  shown.map(({ params }) => Number(/\d+/.exec(String(params.file_url))?.[0]))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

test('large jobs are listed completely, newest first', async () => {
  const { status, json } = await call('GET', `/api/v1/jobs?limit=${COUNT}`, { token: person.token })
  expect(status).toBe(200)
  expect(numbersOf(json)).toEqual(upTo(COUNT).reverse())
  expect(json.every(({ params }) => params.text === LONG)).toBe(true)
  const rest = await call('GET', `/api/v1/jobs?limit=${COUNT}&offset=${COUNT}`, { token: person.token })
  expect([rest.status, rest.json.length]).toEqual([200, COUNT])
})

test('large jobs are listed to administrators with their owners', async () => {
  const { token } = await registerAdministrator(testContext)
  const path = `/api/v1/admin/jobs?account_id=${person.id}&status=failed&limit=${COUNT}` as const
  const { status, json } = await call('GET', path, { token })
  expect(status).toBe(200)
  expect(numbersOf(json)).toEqual(upTo(COUNT).reverse())
  expect(json.every(({ email }) => email === person.email)).toBe(true)
})

test('a batch shows all of its files in order, alone and in a list', async () => {
  const one = await call('GET', `/api/v1/studio/batches/${batchId}`, { token: person.token })
  expect([one.status, numbersOf(one.json.jobs)]).toEqual([200, upTo(COUNT)])
  expect(one.json).toMatchObject({
    status: 'failed',
    failed: COUNT,
    error: 'clip-0.mp4: it could not be read (189 more files failed)',
  })
  const all = await call('GET', '/api/v1/studio/batches', { token: person.token })
  expect([all.status, all.json]).toEqual([200, [one.json]])
})

test.each(['', 'limit=200'])(
  'batches with large params are listed over several pages (%s)',
  async (query) => {
    const owner = await register(testContext)
    const stored = upTo(COUNT).map((index) => batchOf(owner, { params: { text: LONG }, createdAt: index }))
    for (let from = 0; from < COUNT; from += 20)
      await deps.db.insert(batches).values(stored.slice(from, from + 20))
    await insertJobs(stored.map(({ id }, index) => longJob(index, { accountId: owner.id, batchId: id })))
    const ids = stored.map(({ id }) => id).reverse()
    const seen: string[] = []
    let rest: string | undefined = query
    while (rest !== undefined) {
      const page = await call('GET', `/api/v1/studio/batches?${rest}`, { token: owner.token })
      expect(page.status).toBe(200)
      seen.push(...page.json.map(({ id }) => id))
      rest = nextQuery(page.headers)
    }
    expect(seen).toEqual(ids)
  },
)

test('a list that would not fit into memory is refused before loading', async () => {
  const ids = pageIds(filterJobs({ account_id: person.id }), { limit: 200, offset: 0 })
  const page = jobsQuery(deps.db, ids)
  await expect(readJobs(deps, await page, ['whole'])).rejects.toMatchObject({ code: 'list_too_long' })
  expect(await readJobs(deps, await page, ['whole', 'whole'])).toHaveLength(200)
})

test('a batch with very large results omits the bodies of the last ones', async () => {
  const owner = await register(testContext)
  const { id } = batchOf(owner, {})
  const total = 30
  await deps.db.insert(batches).values(batchOf(owner, { id, total }))
  const file = { key: 'results/one/1/a.json', filename: 'a.json', content_type: 'text/plain', size_bytes: 1 }
  const result = { files: [{ ...file, sha256: '0' }], body: { text: 'x'.repeat(2_000_000) } }
  const given = { accountId: owner.id, batchId: id, status: 'done' as const, result, error: null }
  await insertJobs(
    upTo(total).map((index) => longJob(index, { ...given, batchPosition: index })),
    3,
  )
  const one = await call('GET', `/api/v1/studio/batches/${id}`, { token: owner.token })
  expect([one.status, one.json.status, numbersOf(one.json.jobs)]).toEqual([200, 'done', upTo(total)])
  const isOmitted = ({ result }: Pick<Job, 'result'>) => result?.body_omitted === true
  const hasNoText = ({ result }: Pick<Job, 'result'>) => result?.body.text === undefined
  const omitted = one.json.jobs.filter(isOmitted)
  expect(one.json.jobs.every((job) => hasNoText(job) === isOmitted(job))).toBe(true)
  expect(omitted.length).toBeGreaterThan(0)
  expect(omitted.length).toBeLessThan(total)
  const whole = await call('GET', `/api/v1/jobs/${omitted[0]?.id}`, { token: owner.token })
  expect(whole.json.result?.body).toEqual(result.body)
  expect((await call('GET', '/api/v1/studio/batches', { token: owner.token })).status).toBe(200)
  expect((await call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: owner.token })).status).toBe(409)
})
