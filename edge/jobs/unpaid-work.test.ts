import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { found, LOST_QUEUE } from '../../test/edge/worker/context.ts'
import { freshAddress, freshBlock, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { ledgerOf, type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'
import { COMPRESS, publicFiles, submitBatch } from '../../test/edge/worker/studio.ts'
import { redispatchStaleJobs } from './redispatch.ts'

const HOUR_MS = 60 * 60 * 1000

type TestContext = Awaited<ReturnType<typeof makeLimitedContext>>

const makeTestContext = () => makeLimitedContext({}, { DISPATCH: LOST_QUEUE })

function failedAfter(processing_seconds: number | null): Outcome {
  return {
    status: 'failed',
    processing_seconds,
    error: 'Processing takes too long.',
    error_code: 'time_limit',
  }
}

function trySubmit(testContext: TestContext, { token }: Person) {
  return testContext.call('POST', '/api/v1/jobs', { token, body: SUBMISSION })
}

/** Reports progress after the given processing time, then cancels the job. */
async function cancelAfter(testContext: TestContext, person: Person, id: string, worked_ms: number) {
  await report(testContext, started(id))
  await testContext.deps.db.$client.execute({
    sql: 'UPDATE jobs SET started_at = ? WHERE id = ?',
    args: [testContext.clock.now - worked_ms, id],
  })
  await report(testContext, progressed(id, 99))
  return testContext.call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
}

describe('unpaid work of an account', () => {
  test('of an hour of failed jobs refuses new ones for a day and charges nothing', async () => {
    const testContext = await makeTestContext()
    const [person, other] = [await register(testContext), await register(testContext)]
    await report(testContext, finished(await submit(testContext, person), failedAfter(3599)))
    const last = await submit(testContext, person)
    await report(testContext, finished(last, failedAfter(1)))
    const refused = await trySubmit(testContext, person)
    expect(refused.status, refused.text).toBe(429)
    expect(refused.json.code).toBe('too_much_unpaid_work')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    const repeat = await testContext.call('POST', `/api/v1/jobs/${last}/repeat`, { token: person.token })
    expect(repeat.status).toBe(429)
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 20, check: { ok: true } })
    expect((await trySubmit(testContext, other)).status).toBe(201)
  })

  test('no longer counts after Retry-After', async () => {
    const testContext = await makeTestContext()
    const person = await register(testContext)
    await report(testContext, finished(await submit(testContext, person), failedAfter(3600)))
    const wait_ms = Number((await trySubmit(testContext, person)).headers.get('retry-after')) * 1000
    testContext.clock.now += wait_ms
    expect((await trySubmit(testContext, person)).status).toBe(201)
  })

  test('excludes jobs that are done or failed through a fault of the service', async () => {
    const testContext = await makeTestContext()
    const person = await register(testContext)
    const [done, ours] = [await submit(testContext, person), await submit(testContext, person)]
    await report(testContext, finished(done, doneOutcome(done, 7000)))
    await report(testContext, finished(ours, failedAfter(null)))
    expect((await trySubmit(testContext, person)).status).not.toBe(429)
  })

  test('includes the processing time of a job canceled just before its end', async () => {
    const testContext = await makeTestContext()
    const person = await register(testContext)
    const canceled = await cancelAfter(testContext, person, await submit(testContext, person), HOUR_MS)
    expect(canceled.json).toMatchObject({ status: 'canceled', processing_seconds: 3600, final_cost: 0 })
    expect((await trySubmit(testContext, person)).status).toBe(429)
  })

  test('includes files of a canceled batch', async () => {
    const testContext = await makeTestContext()
    const person = await register(testContext)
    const { id, jobs } = await submitBatch(testContext, person, 2)
    const [first] = jobs.map((job) => job.id)
    await report(testContext, started(found(first)))
    const args = [testContext.clock.now - HOUR_MS, found(first)]
    await testContext.deps.db.$client.execute({ sql: 'UPDATE jobs SET started_at = ? WHERE id = ?', args })
    await testContext.call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token })
    expect((await trySubmit(testContext, person)).status).toBe(429)
  })

  test('excludes a canceled job that the fleet lost or never started', async () => {
    const testContext = await makeTestContext()
    const person = await register(testContext)
    const [lost, waiting] = [await submit(testContext, person), await submit(testContext, person)]
    await report(testContext, started(lost))
    await testContext.deps.db.$client.execute({
      sql: 'UPDATE jobs SET started_at = ?1, heard_at = ?1 WHERE id = ?2',
      args: [testContext.clock.now - 5 * HOUR_MS, lost],
    })
    await testContext.deps.progress.forget([lost])
    await redispatchStaleJobs(testContext.deps)
    for (const id of [lost, waiting]) {
      const canceled = await testContext.call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
      expect(canceled.json).toMatchObject({ status: 'canceled', processing_seconds: null })
    }
    expect((await trySubmit(testContext, person)).status).toBe(201)
  })
})

const runFrom = ({ call }: TestContext, address: string) =>
  call('POST', '/api/v1/studio/run', {
    body: { ...COMPRESS, file_url: publicFiles(1)[0] },
    headers: { 'cf-connecting-ip': address, 'x-anonymous-id': crypto.randomUUID() },
  })

test('of anonymous callers counts by their address', async () => {
  const testContext = await makeTestContext()
  const run = (address: string) => runFrom(testContext, address)
  const [address, other] = [freshAddress(), freshAddress()]
  const first = await run(address)
  expect(first.status, first.text).toBe(201)
  await report(testContext, finished(first.json.job.id, failedAfter(30 * 60)))
  expect((await run(address)).status).toBe(429)
  expect((await run(other)).status).toBe(201)
})

test('of the anonymous callers of an IPv6 /48 counts together, with 16 times the limit', async () => {
  const settings = { unpaid_minutes_per_day_anonymous: 1 }
  const testContext = await makeLimitedContext(settings, { DISPATCH: LOST_QUEUE })
  const [last = '', ...others] = freshBlock(17)
  for (const address of others) {
    const { status, json } = await runFrom(testContext, address)
    expect(status).toBe(201)
    await report(testContext, finished(json.job.id, failedAfter(60)))
  }
  const refused = await runFrom(testContext, last)
  expect([refused.status, refused.json.code]).toEqual([429, 'too_much_unpaid_work'])
  expect((await runFrom(testContext, freshAddress())).status).toBe(201)
})

test('open jobs of the anonymous callers of an IPv6 /48 count together, also when submitted concurrently', async () => {
  const testContext = await makeLimitedContext({ in_flight_max_anonymous: 1 }, { DISPATCH: LOST_QUEUE })
  const answers = await Promise.all(freshBlock(20).map((address) => runFrom(testContext, address)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(16)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ json }) => json.code)).toEqual(Array(4).fill('too_many_jobs_in_flight'))
})
