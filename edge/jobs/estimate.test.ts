import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { commit } from '../platform/database/commit.ts'
import { processingRates } from '../tables.ts'
import { measureJobStatement } from './processing-rate-queries.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

/** Reads the rate of an operation that no other test of this database measures. */
const rateOf = async (key: string) => {
  const rows = await deps.db.select().from(processingRates).where(eq(processingRates.operationKey, key))
  return rows[0]
}

async function finish(operation_key: string, params: object = {}, typical: object = { typical_seconds: 45 }) {
  const person = await register(testContext)
  const body = { ...SUBMISSION, operation_key, params: { ...SUBMISSION.params, ...params } }
  const { id } = (await call('POST', '/api/v1/jobs', { token: person.token, body })).json
  const input = { duration_seconds: 120, megapixels: null }
  const outcome = { ...doneOutcome(id, 90), input, ...typical }
  const raw = finished(id, outcome)
  const delivery = { id: crypto.randomUUID() }
  const deliver = () => report(testContext, raw, delivery)
  await deliver()
  return { deliver }
}

test('a finished job is measured once, however often it is reported', async () => {
  const { deliver } = await finish('flip', { axis: 'h' })
  expect(await rateOf('flip')).toMatchObject({ jobs: 1, secondsMean: 90, typicalMean: 45 })
  expect((await deliver()).status).toBe(200)
  expect(await rateOf('flip')).toMatchObject({ jobs: 1 })
})

test('the means follow the recent jobs', async () => {
  const measure = (seconds: number) =>
    measureJobStatement(
      deps.db,
      { serviceSlug: 'video', operationKey: 'fps' },
      { seconds, typical_seconds: 5, size: 1 },
    )
  for (const seconds of [10, 20, 30]) await commit(deps.db, [measure(seconds)])
  expect(await rateOf('fps')).toMatchObject({ jobs: 3, secondsMean: 20, typicalMean: 5 })
})

test('means of an older version start again', async () => {
  const operation = { serviceSlug: 'video', operationKey: 'blur_bg' }
  await deps.db.insert(processingRates).values({ ...operation, jobs: 500, secondsMean: 80, sizeMean: 2 })
  await commit(deps.db, [
    measureJobStatement(deps.db, operation, { seconds: 10, typical_seconds: 20, size: 1 }),
  ])
  expect(await rateOf('blur_bg')).toMatchObject({ jobs: 1, secondsMean: 10, typicalMean: 20 })
})

test('a report of an older fleet is not measured', async () => {
  await finish('speed', { factor: 2 }, {})
  expect(await rateOf('speed')).toBeUndefined()
})

test('a quote is corrected by the recent jobs of the operation', async () => {
  const { token } = await register(testContext)
  const quote = async (context: typeof testContext) => {
    const params = { mode: '90cw' }
    const body = { service_slug: 'video', operation_key: 'rotate', params, duration_seconds: 300 }
    return (await context.call('POST', '/api/v1/jobs/quote', { token, body })).json
  }
  const typical = await quote(testContext)
  const measure = measureJobStatement(
    deps.db,
    { serviceSlug: 'video', operationKey: 'rotate' },
    { seconds: 30, typical_seconds: 90, size: 1.5 },
  )
  for (let count = 0; count < 20; count++) await commit(deps.db, [measure])
  const measured = await quote(makeTestContext())
  expect(measured.estimated_from).toBe('recent_jobs')
  expect(measured.estimated_seconds).toBeCloseTo(typical.estimated_seconds / 3, 0)
})

test('pipelines are not measured', async () => {
  await finish('mute', { operations: [{ operation_key: 'faststart', params: {} }] })
  expect(await rateOf('mute')).toBeUndefined()
})

test('a quote for an image has the estimate of its pixels, or of a mean image', async () => {
  const { token } = await register(testContext)
  const quote = async (size: object) => {
    const body = { service_slug: 'image', operation_key: 'convert', ...size }
    return (await call('POST', '/api/v1/jobs/quote', { token, body })).json
  }
  const mean = await quote({ duration_seconds: 86_400 })
  expect(mean).toMatchObject({ estimated_credits: 2, estimated_from: 'typical_figures' })
  const large = await quote({ megapixels: 240 })
  expect(large.estimated_seconds).toBeGreaterThan(5 * mean.estimated_seconds)
})

test.each([0, -1, 10_001, 'large', null])('a quote refuses %j megapixels', async (megapixels) => {
  const { token } = await register(testContext)
  const body = { service_slug: 'image', operation_key: 'convert', megapixels }
  const answer = await call('POST', '/api/v1/jobs/quote', { token, body })
  expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'megapixels']])
})

test('a quote without a length uses that of an own upload or result, and says which it assumes', async () => {
  const { token } = await register(testContext)
  const content = new FormData()
  content.append('file', new File([MP4.bytes], 'a.mp4', { type: 'video/mp4' }))
  const upload = (await call('POST', '/api/v1/uploads', { token, content })).json.url
  const params = { file_url: upload }
  const quote = async (file_url: string, more: object = {}, caller = token) => {
    const body = { service_slug: 'video', operation_key: 'mute', params: { file_url }, ...more }
    return (await call('POST', '/api/v1/jobs/quote', { token: caller, body })).json
  }
  expect(await quote(upload)).toMatchObject({ assumed_duration_seconds: 120, too_long: false })
  const body = { service_slug: 'video', operation_key: 'mute', params }
  const { id } = (await call('POST', '/api/v1/jobs', { token, body })).json
  const input = { duration_seconds: 1900.5, megapixels: null }
  const outcome = { ...doneOutcome(id, 90), input }
  await report(testContext, finished(id, outcome))
  expect(await quote(upload)).toMatchObject({ assumed_duration_seconds: 1900.5, too_long: true })
  expect(await quote(upload, { duration_seconds: 60 })).toMatchObject({ assumed_duration_seconds: 60 })
  const stranger = await register(testContext)
  expect(await quote(upload, {}, stranger.token)).toMatchObject({ assumed_duration_seconds: 120 })
  const sql = "UPDATE jobs SET result = json_set(result, '$.body.duration_seconds', 33) WHERE id = ?"
  await deps.db.$client.execute({ sql, args: [id] })
  const result = (await call('GET', `/api/v1/jobs/${id}`, { token })).json.result?.url ?? ''
  expect(await quote(result)).toMatchObject({ assumed_duration_seconds: 33 })
  const image = { service_slug: 'image', operation_key: 'convert' }
  expect(await quote('', image)).toMatchObject({ assumed_duration_seconds: null })
})
