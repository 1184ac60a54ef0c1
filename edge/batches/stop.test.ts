import { describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { giveCredits, ledgerOf, register } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report, started } from '../../test/edge/worker/reports.ts'
import { COMPRESS, OVER_LONG, publicFiles, showBatch, submitBatch } from '../../test/edge/worker/studio.ts'

const testContext = makeTestContext()
const { call } = testContext

async function freshBatch(count: number) {
  const person = await register(testContext)
  await giveCredits(testContext, person, 500)
  const batch = await submitBatch(testContext, person, count)
  return { person, id: batch.id as string, jobs: batch.jobs.map(({ id }: { id: string }) => id) as string[] }
}

const deliver = (id: string, seconds = 1) => report(testContext, finished(id, doneOutcome(id, seconds)))

describe('a batch', () => {
  test('charges each file for its own time and is done when all files are', async () => {
    const { person, id, jobs } = await freshBatch(3)
    const [first = '', second = '', third = ''] = jobs
    await report(testContext, started(first))
    expect(await showBatch(testContext, person, id)).toMatchObject({ status: 'processing', done: 0 })
    await deliver(first, 61)
    await deliver(second, 1)
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'processing',
      done: 2,
      final_cost: null,
    })
    await deliver(third, 125)
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'done',
      done: 3,
      estimated_cost: 6,
      final_cost: 3 + 2 + 4,
      error: null,
      finished_at: expect.stringMatching(/Z$/),
    })
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 520 - 9, check: { ok: true } })
  })

  test('continues when one file fails, and refunds that file', async () => {
    const { person, id, jobs } = await freshBatch(3)
    const [first = '', second = '', third = ''] = jobs
    await report(testContext, finished(second, FAILED))
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'processing',
      failed: 1,
      error: null,
    })
    await deliver(first)
    await deliver(third)
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'done',
      done: 2,
      failed: 1,
      final_cost: 4,
    })
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 516, check: { ok: true } })
  })

  test('fails when every file fails, and names the first one', async () => {
    const { person, id, jobs } = await freshBatch(2)
    for (const job of jobs) await report(testContext, finished(job, FAILED))
    const error = 'clip-0.mp4: this file cannot be read as a video (1 more file failed)'
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'failed',
      failed: 2,
      error,
      final_cost: 0,
    })
  })

  test('continues when one of its jobs is canceled', async () => {
    const { person, id, jobs } = await freshBatch(2)
    await call('POST', `/api/v1/jobs/${jobs[0]}/cancel`, { token: person.token })
    await deliver(jobs[1] ?? '')
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'done',
      done: 1,
      canceled: 1,
      final_cost: 2,
    })
  })
})

describe('an over-long file', () => {
  test('stops the batch: finished files stay charged, the others are canceled and refunded', async () => {
    const { person, id, jobs } = await freshBatch(5)
    const [delivered = '', long = '', running = '', , failed = ''] = jobs
    await deliver(delivered, 61)
    await report(testContext, finished(failed, FAILED))
    await report(testContext, started(running))
    await report(testContext, started(long))
    await report(testContext, finished(long, OVER_LONG))
    const batch = await showBatch(testContext, person, id)
    expect(batch).toMatchObject({
      status: 'failed',
      done: 1,
      failed: 2,
      canceled: 2,
      final_cost: 3,
      error: `clip-1.mp4: ${OVER_LONG.status === 'failed' ? OVER_LONG.error : ''}`,
    })
    expect(batch.jobs.map(({ status }: { status: string }) => status)).toEqual([
      'done',
      'failed',
      'canceled',
      'canceled',
      'failed',
    ])
    const { entries, balance, check } = await ledgerOf(testContext, person)
    expect([balance, check.ok]).toEqual([517, true])
    const refunds = entries.filter(({ entry_type }: { entry_type: string }) => entry_type === 'refund')
    expect(new Set(refunds.map(({ job_id }) => job_id))).toEqual(
      new Set(jobs.filter((job) => job !== delivered)),
    )
    await testContext.settled()
    const cancels = (await testContext.fleet.requests()).filter(({ path }) => path === 'cancel')
    const stopped = cancels.map(({ body }) => body.job_id)
    expect(jobs.filter((job) => stopped.includes(job))).toEqual([jobs[2], jobs[3]])
    // Reports about the other files now arrive too late.
    expect((await deliver(running, 61)).status).toBe(409)
    expect((await ledgerOf(testContext, person)).balance).toBe(517)
  })

  test('still fails the batch when it is the last open one', async () => {
    const { person, id, jobs } = await freshBatch(2)
    await deliver(jobs[0] ?? '')
    await report(testContext, finished(jobs[1] ?? '', OVER_LONG))
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'failed',
      done: 1,
      failed: 1,
      final_cost: 2,
    })
  })

  test('reported twice counts once', async () => {
    const { person, id, jobs } = await freshBatch(3)
    const raw = finished(jobs[0] ?? '', OVER_LONG)
    const name = crypto.randomUUID()
    await report(testContext, raw, { id: name })
    const before = [await showBatch(testContext, person, id), await ledgerOf(testContext, person)]
    expect((await report(testContext, raw, { id: name })).status).toBe(200)
    expect((await report(testContext, raw)).status).toBe(200)
    expect([await showBatch(testContext, person, id), await ledgerOf(testContext, person)]).toEqual(before)
  })

  test('stops an anonymous batch too', async () => {
    const headers = { 'cf-connecting-ip': freshAddress() }
    const body = { ...COMPRESS, file_urls: publicFiles(2) }
    const { id, jobs } = (await call('POST', '/api/v1/studio/batch', { body, headers })).json
    await report(testContext, finished(found(jobs[0]).id, OVER_LONG))
    expect(await showBatch(testContext, null, id)).toMatchObject({
      status: 'failed',
      failed: 1,
      canceled: 1,
      error: expect.stringMatching(/^clip-0\.mp4: /),
    })
  })
})

describe('canceling a batch', () => {
  test('refunds the open files in full and notifies the fleet', async () => {
    const { person, id, jobs } = await freshBatch(3)
    await deliver(jobs[0] ?? '', 61)
    await report(testContext, started(jobs[1] ?? ''))
    const answer = await call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      status: 'canceled',
      done: 1,
      canceled: 2,
      final_cost: 3,
      error: null,
    })
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 517, check: { ok: true } })
    await testContext.settled()
    const notified = (await testContext.fleet.requests()).flatMap(({ path, body }) =>
      path === 'cancel' ? body.job_id : [],
    )
    expect(jobs.filter((job) => notified.includes(job))).toEqual(jobs.slice(1))
    const kept = await testContext.deps.db.$client.execute({
      sql: 'SELECT id FROM outbox WHERE id IN (?, ?)',
      args: jobs.slice(1).map((job) => `cancel:${job}`),
    })
    expect(kept.rows).toEqual([])
  })

  test('that has ended is 409 and changes nothing', async () => {
    const { person, id, jobs } = await freshBatch(1)
    await deliver(jobs[0] ?? '')
    const answer = await call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token })
    expect([answer.status, answer.json.code]).toEqual([409, 'batch_already_finished'])
  })

  test('ten times concurrently refunds once', async () => {
    const { person, id } = await freshBatch(5)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 520, check: { ok: true } })
  })

  test('while the fleet is down keeps the cancellation in the outbox', async () => {
    const down = makeTestContext()
    const person = await register(down)
    const { id, jobs } = await submitBatch(down, person, 2)
    await down.fleet.setMode('down')
    expect(
      (await down.call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token })).status,
    ).toBe(200)
    await down.settled()
    const args = jobs.map((job: { id: string }) => `cancel:${job.id}`)
    const kept = await down.deps.db.$client.execute({ sql: 'SELECT id FROM outbox WHERE id IN (?, ?)', args })
    expect(kept.rows).toHaveLength(2)
  })
})

describe('concurrent reports', () => {
  test('are each counted once, and the ledger sums agree', { tags: ['extended'] }, async () => {
    const { person, id, jobs } = await freshBatch(40)
    const answers = await Promise.all(
      jobs.flatMap((job, index) => {
        const raw = finished(job, index % 4 === 0 ? FAILED : doneOutcome(job, 61))
        return [report(testContext, raw), report(testContext, raw)]
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(80).fill(200))
    expect(await showBatch(testContext, person, id)).toMatchObject({
      status: 'done',
      done: 30,
      failed: 10,
      final_cost: 90,
    })
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 520 - 90, check: { ok: true } })
  })

  test('with an over-long file and a cancellation leave one final state and account for every credit', async () => {
    const { person, id, jobs } = await freshBatch(12)
    await Promise.all([
      ...jobs.map((job, index) =>
        report(testContext, finished(job, index === 6 ? OVER_LONG : doneOutcome(job, 61))),
      ),
      call('POST', `/api/v1/studio/batches/${id}/cancel`, { token: person.token }),
    ])
    const batch = await showBatch(testContext, person, id)
    expect(['failed', 'canceled']).toContain(batch.status)
    expect(batch.done + batch.failed + batch.canceled).toBe(12)
    expect(batch.final_cost).toBe(3 * batch.done)
    expect(await ledgerOf(testContext, person)).toMatchObject({
      balance: 520 - 3 * batch.done,
      check: { ok: true },
    })
  })
})
