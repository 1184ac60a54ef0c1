import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { LOST_QUEUE } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedWorld } from '../../test/edge/worker/limited-context.ts'
import { ledgerOf, type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'
import { COMPRESS, publicFiles, submitBatch } from '../../test/edge/worker/studio.ts'
import { redispatchSilentJobs } from './redispatch.ts'

const HOUR_MS = 60 * 60 * 1000

type World = Awaited<ReturnType<typeof makeLimitedWorld>>

const makeWorld = () => makeLimitedWorld({}, { DISPATCH: LOST_QUEUE })

function failedAfter(processing_seconds: number | null): Outcome {
  return {
    status: 'failed',
    processing_seconds,
    error: 'Processing takes too long.',
    error_code: 'time_limit',
  }
}

function trySubmit(world: World, { token }: Person) {
  return world.call('POST', '/api/v1/jobs', { token, body: SUBMISSION })
}

/** Works on a job for so long that the fleet reports it, and cancels it then. */
async function cancelAfter(world: World, person: Person, id: string, worked_ms: number) {
  await report(world, started(id))
  await world.deps.db.$client.execute({
    sql: 'UPDATE jobs SET started_at = ? WHERE id = ?',
    args: [world.clock.now - worked_ms, id],
  })
  await report(world, progressed(id, 99))
  return world.call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
}

describe('unpaid work of an account', () => {
  test('failed jobs of an hour refuse new ones for a day, and charge nothing', async () => {
    const world = await makeWorld()
    const [person, other] = [await register(world), await register(world)]
    await report(world, finished(await submit(world, person), failedAfter(3599)))
    const last = await submit(world, person)
    await report(world, finished(last, failedAfter(1)))
    const refused = await trySubmit(world, person)
    expect(refused.status, refused.text).toBe(429)
    expect(refused.json.code).toBe('too_much_unpaid_work')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    const repeat = await world.call('POST', `/api/v1/jobs/${last}/repeat`, { token: person.token })
    expect(repeat.status).toBe(429)
    expect(await ledgerOf(world, person)).toMatchObject({ balance: 20, check: { ok: true } })
    expect((await trySubmit(world, other)).status).toBe(201)
  })

  test('it no longer counts when the time of Retry-After has passed', async () => {
    const world = await makeWorld()
    const person = await register(world)
    await report(world, finished(await submit(world, person), failedAfter(3600)))
    const wait_ms = Number((await trySubmit(world, person)).headers.get('retry-after')) * 1000
    world.clock.now += wait_ms
    expect((await trySubmit(world, person)).status).toBe(201)
  })

  test('a job that is done, or that failed by our own fault, does not count', async () => {
    const world = await makeWorld()
    const person = await register(world)
    const [done, ours] = [await submit(world, person), await submit(world, person)]
    await report(world, finished(done, doneOutcome(done, 7000)))
    await report(world, finished(ours, failedAfter(null)))
    expect((await trySubmit(world, person)).status).not.toBe(429)
  })

  test('a job that is canceled just before its end counts as long as it was worked on', async () => {
    const world = await makeWorld()
    const person = await register(world)
    const canceled = await cancelAfter(world, person, await submit(world, person), HOUR_MS)
    expect(canceled.json).toMatchObject({ status: 'canceled', processing_seconds: 3600, final_cost: 0 })
    expect((await trySubmit(world, person)).status).toBe(429)
  })

  test('files of a batch that is canceled count alike', async () => {
    const world = await makeWorld()
    const person = await register(world)
    const { id, jobs } = await submitBatch(world, person, 2)
    await report(world, started(jobs[0].id))
    const args = [world.clock.now - HOUR_MS, jobs[0].id]
    await world.deps.db.$client.execute({ sql: 'UPDATE jobs SET started_at = ? WHERE id = ?', args })
    await world.call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token })
    expect((await trySubmit(world, person)).status).toBe(429)
  })

  test('a canceled job that the fleet lost, or never started, does not count', async () => {
    const world = await makeWorld()
    const person = await register(world)
    const [lost, waiting] = [await submit(world, person), await submit(world, person)]
    await report(world, started(lost))
    await world.deps.db.$client.execute({
      sql: 'UPDATE jobs SET started_at = ?1, heard_at = ?1 WHERE id = ?2',
      args: [world.clock.now - 5 * HOUR_MS, lost],
    })
    await redispatchSilentJobs(world.deps)
    for (const id of [lost, waiting]) {
      const canceled = await world.call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
      expect(canceled.json).toMatchObject({ status: 'canceled', processing_seconds: null })
    }
    expect((await trySubmit(world, person)).status).toBe(201)
  })
})

test('unpaid work of anonymous callers counts by their address', async () => {
  const world = await makeWorld()
  const run = (address: string) =>
    world.call('POST', '/api/v1/studio/run', {
      body: { ...COMPRESS, file_url: publicFiles(1)[0] },
      headers: { 'cf-connecting-ip': address, 'x-anonymous-id': crypto.randomUUID() },
    })
  const [address, other] = [freshAddress(), freshAddress()]
  const first = await run(address)
  expect(first.status, first.text).toBe(201)
  await report(world, finished(first.json.job.id, failedAfter(30 * 60)))
  expect((await run(address)).status).toBe(429)
  expect((await run(other)).status).toBe(201)
})
