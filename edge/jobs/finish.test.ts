import { describe, expect, test } from 'vitest'
import { found, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  giveCredits,
  ledgerOf,
  register,
  SUBMISSION,
  showJob,
  submit,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const MINUTE_MS = 60 * 1000

/** Creates a job and the account that owns it. */
async function freshJob() {
  const person = await register(testContext)
  return { person, id: await submit(testContext, person) }
}

describe('a finished job', () => {
  test.each([
    [1, 2],
    [60, 2],
    [61, 3],
    [121, 4],
    [9000, 30],
  ])('of %d s costs %i in total', async (seconds, cost) => {
    const { person, id } = await freshJob()
    await giveCredits(testContext, person, 50)
    const answer = await report(testContext, finished(id, doneOutcome(id, seconds)))
    expect([answer.status, answer.json]).toEqual([200, { continue: false }])
    const job = await showJob(testContext, person, id)
    expect(job).toMatchObject({
      status: 'done',
      progress: 100,
      estimated_cost: 2,
      final_cost: cost,
      processing_seconds: seconds,
      result: {
        filename: 'clip.mp4',
        content_type: 'video/mp4',
        size_bytes: 5,
        body: { encode_mode: 'encode' },
      },
    })
    expect(timeOf(job.result?.expires_at) - timeOf(job.finished_at)).toBe(24 * 60 * MINUTE_MS)
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 70 - cost })
  })

  test('is charged by the tariff at its submission, not the current one', async () => {
    const { person, id } = await freshJob()
    await giveCredits(testContext, person, 100)
    const dear = await makeLimitedContext({ time_tariff_per_extra_minute_credits: 9 })
    await report(dear, finished(id, doneOutcome(id, 121)))
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'done', final_cost: 4 })
  })

  test('charges no more than the balance', async () => {
    const person = await register(testContext)
    const ids = await Promise.all(Array.from({ length: 10 }, () => submit(testContext, person)))
    const [id = ''] = ids
    await report(testContext, finished(id, doneOutcome(id, 300)))
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'done', final_cost: 2 })
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 0 })
  })

  test('charges the remaining balance when it is less than the difference', async () => {
    const person = await register(testContext)
    const ids = await Promise.all(Array.from({ length: 9 }, () => submit(testContext, person)))
    const [id = ''] = ids
    await report(testContext, finished(id, doneOutcome(id, 300)))
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'done', final_cost: 4 })
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 0 })
  })

  test('that failed is refunded in full and has an error message', async () => {
    const { person, id } = await freshJob()
    await report(testContext, started(id))
    await report(testContext, finished(id, FAILED))
    expect(await showJob(testContext, person, id)).toMatchObject({
      status: 'failed',
      final_cost: 0,
      error: 'this file cannot be read as a video',
      error_code: 'input_unreadable',
      result: null,
    })
    const { entries, check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: 20 })
    expect(entries.map(({ entry_type }: { entry_type: string }) => entry_type)).toEqual([
      'refund',
      'debit',
      'daily_free',
    ])
  })
})

describe('a repeated report', () => {
  test('is accepted and changes nothing', async () => {
    const { person, id } = await freshJob()
    const raw = finished(id, doneOutcome(id, 61))
    const name = crypto.randomUUID()
    expect((await report(testContext, raw, { id: name })).status).toBe(200)
    const before = await ledgerOf(testContext, person)
    const again = await report(testContext, raw, { id: name, at: new Date(Date.now() - MINUTE_MS) })
    expect([again.status, again.json]).toEqual([200, { continue: false }])
    expect(await ledgerOf(testContext, person)).toEqual(before)
  })

  test('of a start is accepted and changes nothing', async () => {
    const { person, id } = await freshJob()
    const [raw, name] = [progressed(id, 10), crypto.randomUUID()]
    await report(testContext, raw, { id: name })
    await report(testContext, progressed(id, 20))
    expect((await report(testContext, raw, { id: name })).json).toEqual({ continue: true })
    expect(await showJob(testContext, person, id)).toMatchObject({ progress: 20 })
  })

  test('with other content is 409, also for another job', async () => {
    const { person, id } = await freshJob()
    const other = await submit(testContext, person)
    const name = crypto.randomUUID()
    await report(testContext, started(id), { id: name })
    const before = await ledgerOf(testContext, person)
    const changed = [finished(id, doneOutcome(id, 61)), finished(other, doneOutcome(other, 61))]
    for (const raw of changed) expect((await report(testContext, raw, { id: name })).status).toBe(409)
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', progress: 0 })
    expect((await showJob(testContext, person, other)).status).toBe('queued')
  })

  test('of the same attempt under another id changes nothing; of another attempt or outcome it is 409', async () => {
    const { person, id } = await freshJob()
    await report(testContext, finished(id, doneOutcome(id, 61)))
    const before = [await ledgerOf(testContext, person), await showJob(testContext, person, id)]
    const again = await report(testContext, finished(id, doneOutcome(id, 900)))
    expect([again.status, again.json]).toEqual([200, { continue: false }])
    for (const raw of [finished(id, FAILED), finished(id, doneOutcome(id, 61, 1002), 1002)]) {
      const late = await report(testContext, raw)
      expect([late.status, late.json]).toMatchObject([409, { continue: false }])
    }
    expect([await ledgerOf(testContext, person), await showJob(testContext, person, id)]).toEqual(before)
  })
})

describe("an anonymous caller's job", () => {
  test.each([
    ['done', (id: string) => doneOutcome(id, 300)],
    ['failed', () => FAILED],
  ])('that is %s is free', async (status, makeOutcome) => {
    const { person, id } = await freshJob()
    await deps.db.$client.execute({ sql: 'UPDATE jobs SET account_id = NULL WHERE id = ?', args: [id] })
    const before = await ledgerOf(testContext, person)
    const raw = finished(id, makeOutcome(id))
    const answers = await Promise.all([
      report(testContext, raw, { id: `${id}-end` }),
      report(testContext, raw, { id: `${id}-end` }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(await showJob(testContext, person, id)).toMatchObject({ status, final_cost: 0 })
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })).status).toBe(409)
  })
})

describe('concurrently', () => {
  test('two finish reports with different ids charge once', async () => {
    const { person, id } = await freshJob()
    const answers = await Promise.all([
      report(testContext, finished(id, doneOutcome(id, 61))),
      report(testContext, finished(id, doneOutcome(id, 61, 1002), 1002)),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 17 })
  })

  test('ten identical finish reports charge once, and every sender gets 200', async () => {
    const { person, id } = await freshJob()
    const [raw, name] = [finished(id, doneOutcome(id, 61)), crypto.randomUUID()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => report(testContext, raw, { id: name })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 17 })
  })

  test('a done and a failed report: one of them wins', async () => {
    const { person, id } = await freshJob()
    await Promise.all([
      report(testContext, finished(id, doneOutcome(id, 61))),
      report(testContext, finished(id, FAILED)),
    ])
    const { status } = await showJob(testContext, person, id)
    const { check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: status === 'done' ? 17 : 20 })
  })

  test('a finish during 20 submissions of its account in two isolates keeps the ledger sums equal', async () => {
    const { person, id } = await freshJob()
    await giveCredits(testContext, person, 10)
    const elsewhere = makeTestContext()
    const submits = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? testContext : elsewhere).call('POST', '/api/v1/jobs', {
        token: person.token,
        body: SUBMISSION,
      }),
    )
    const [finish, ...answers] = await Promise.all([
      report(testContext, finished(id, doneOutcome(id, 600))),
      ...submits,
    ])
    expect(finish.status).toBe(200)
    const accepted = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(20 - accepted)
    const { final_cost } = await showJob(testContext, person, id)
    const { check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: 30 - found(final_cost) - 2 * accepted })
  })
})
