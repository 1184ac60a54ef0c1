import { createMessageBatch } from 'cloudflare:test'
import { env as platform } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import {
  eventually,
  LOST_QUEUE,
  makeTestContext,
  type TestContext,
} from '../../../test/edge/worker/context.ts'
import { register, submit } from '../../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../../test/edge/worker/reports.ts'
import { redispatchJobs, redispatchStaleJobs } from '../../jobs/redispatch.ts'
import { consumeDispatches } from '../../queue.ts'
import { runScheduled } from '../../scheduled.ts'
import { commit } from '../database/commit.ts'
import { effectStatements } from './queries.ts'
import { resendEffects, sendEffects } from './send.ts'

type Row = Record<string, unknown>

async function query({ deps }: TestContext, sql: string, ...args: (string | number)[]): Promise<Row[]> {
  return (await deps.db.$client.execute({ sql, args })).rows as unknown as Row[]
}

const outboxOf = (testContext: TestContext, job: string) =>
  query(testContext, 'SELECT id, kind, payload, attempts, due_at FROM outbox WHERE id LIKE ?', `%:${job}%`)

/** Delivers a job's dispatches as the queue does, and returns the options of each message retry. */
async function deliver(testContext: TestContext, rows: Row[], attempts = 1) {
  const messages = rows.map(({ payload }, index) => ({
    id: `message${index}`,
    timestamp: Date.now(),
    attempts,
    body: JSON.parse(String(payload)),
  }))
  const batch = createMessageBatch('media-dispatch', messages)
  const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'))
  await consumeDispatches(testContext.deps, batch)
  return retries.flatMap(({ mock }) => mock.calls.map(([options]) => options))
}

const dispatchesTo = async ({ fleet }: TestContext, job: string) =>
  (await fleet.requests()).flatMap(({ body }) => body?.jobs ?? []).filter(({ job_id }) => job_id === job)

describe('a dispatch', () => {
  test('is in the outbox from submission until the fleet has accepted it', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    await testContext.settled()
    const rows = await outboxOf(testContext, id)
    expect(rows).toMatchObject([{ id: `dispatch:${id}:1`, kind: 'dispatch', attempts: 0 }])
    expect(await dispatchesTo(testContext, id)).toEqual([])
    expect(await deliver(testContext, rows)).toEqual([])
    expect(await dispatchesTo(testContext, id)).toMatchObject([
      { job_id: id, dispatch: 1, max_input_seconds: 1800, tier: 'free' },
    ])
    expect(await outboxOf(testContext, id)).toEqual([])
  })

  test.each(['down', 'refusing'])(
    'that a fleet which is %s did not accept is retried with growing delays and stays in the outbox',
    async (mode) => {
      const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
      const id = await submit(testContext, await register(testContext))
      await testContext.fleet.setMode(mode)
      const rows = await outboxOf(testContext, id)
      for (const [attempts, delaySeconds] of [
        [1, 1],
        [2, 2],
        [5, 16],
        [10, 60],
      ] as const) {
        expect(await deliver(testContext, rows, attempts)).toEqual([{ delaySeconds }])
      }
      expect(await outboxOf(testContext, id)).toMatchObject([{ id: `dispatch:${id}:1` }])
      await testContext.fleet.setMode('ok')
      await deliver(testContext, rows)
      expect(await outboxOf(testContext, id)).toEqual([])
    },
  )

  test('that is redelivered is sent to the fleet twice and changes nothing else', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    const rows = await outboxOf(testContext, id)
    await deliver(testContext, [...rows, ...rows])
    expect(await dispatchesTo(testContext, id)).toHaveLength(2)
    expect(await outboxOf(testContext, id)).toEqual([])
  })

  test('is not blocked by an unreadable one in the same batch', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    await deliver(testContext, [{ payload: '{"job_id": 5}' }, ...(await outboxOf(testContext, id))])
    expect(await dispatchesTo(testContext, id)).toHaveLength(1)
    expect(await outboxOf(testContext, id)).toEqual([])
  })

  test.each(['outdated', 'older'])(
    'is accepted by an %s fleet next to one that this fleet cannot read, which alone is retried',
    async (mode) => {
      const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
      const account = await register(testContext)
      const ids = [await submit(testContext, account), await submit(testContext, account)]
      const [first = {}, second = {}] = (await Promise.all(ids.map((id) => outboxOf(testContext, id)))).flat()
      const newer = { ...JSON.parse(String(first.payload)), operation_key: 'newer', job_id: 'newer' }
      await testContext.fleet.setMode(mode)
      const batch = [first, { payload: JSON.stringify(newer) }, second]
      expect(await deliver(testContext, batch, 2)).toEqual([{ delaySeconds: 2 }])
      for (const id of ids) expect(await outboxOf(testContext, id)).toEqual([])
    },
  )

  test('is sent through the real queue within seconds', async () => {
    const testContext = makeTestContext()
    const id = await submit(testContext, await register(testContext))
    // The consumer of the real queue has the settings of the Worker, and not those of this test.
    const { FLEET_URL } = platform as unknown as Record<string, string>
    const readRequests = async () => (await fetch(`${FLEET_URL}/control`)).text()
    await eventually('the fleet to take the dispatch', async () => (await readRequests()).includes(id))
  })

  test('that the queue lost is sent again when overdue, with growing delays', async () => {
    const lost = makeTestContext({ DISPATCH: LOST_QUEUE })
    const sent: string[] = []
    const recording = {
      send: async (body: { job_id: string }) => void sent.push(body.job_id),
      sendBatch: async (messages: Iterable<{ body: { job_id: string } }>) => {
        for (const { body } of messages) sent.push(body.job_id)
      },
    }
    const testContext = makeTestContext({ DISPATCH: recording })
    const id = await submit(lost, await register(lost))
    const times = () => sent.filter((job) => job === id).length
    await runScheduled(testContext.deps)
    expect(times()).toBe(0)
    for (const [round, pause_ms] of [
      [1, 60_000],
      [2, 120_000],
      [3, 240_000],
    ] as const) {
      await query(lost, 'UPDATE outbox SET due_at = 0 WHERE id = ?', `dispatch:${id}:1`)
      const before = Date.now()
      await runScheduled(testContext.deps)
      expect(times()).toBe(round)
      const [row] = await outboxOf(lost, id)
      expect(row).toMatchObject({ attempts: round })
      expect(Number(row?.due_at) - before - pause_ms).toBeGreaterThanOrEqual(0)
      expect(Number(row?.due_at) - before - pause_ms).toBeLessThan(10_000)
    }
  })

  test('is removed when its job has finished', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await outboxOf(testContext, id)).toEqual([])
  })
})

describe('the scheduled handler', () => {
  test('sends the other effects when one is unreadable', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const broken = crypto.randomUUID()
    await query(
      testContext,
      "INSERT INTO outbox (id, kind, payload, due_at, created_at) VALUES (?, 'dispatch', '{}', 0, 0)",
      `dispatch:${broken}:1`,
    )
    await query(testContext, 'UPDATE outbox SET due_at = 0 WHERE id = ?', `dispatch:${id}:1`)
    await runScheduled(makeTestContext().deps)
    await eventually(
      'the real queue to deliver it',
      async () => (await outboxOf(testContext, id)).length === 0,
    )
    expect(await outboxOf(testContext, broken)).toMatchObject([{ attempts: 1 }])
    await query(testContext, 'DELETE FROM outbox WHERE id = ?', `dispatch:${broken}:1`)
  })

  test('loads only as many large dispatches as a database response can hold, without skipping any', async () => {
    const lost = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(lost, await register(lost))
    const copies = `
      WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < 101)
      INSERT INTO outbox (id, kind, payload, due_at, created_at)
      SELECT 'dispatch:' || ? || ':' || number, kind, json_set(payload, '$.dispatch', number,
        '$.params.text', replace(hex(zeroblob(30000)), '0', 'é')), number, created_at
      FROM outbox, numbers WHERE id = ?`
    await query(lost, copies, id, `dispatch:${id}:1`)
    const sent: number[] = []
    const send = async ({ job_id, dispatch }: { job_id: string; dispatch: number }) =>
      void (job_id === id && sent.push(dispatch))
    const sendBatch = async (messages: Iterable<{ body: Parameters<typeof send>[0] }>) => {
      for (const { body } of messages) await send(body)
    }
    const testContext = makeTestContext({ DISPATCH: { send, sendBatch } })
    // Effects that earlier tests of this workerd left in the database are sent too; those may fail.
    await Promise.allSettled([resendEffects(testContext.deps)])
    // The first dispatch is due too if this took long.
    const copied = sent.filter((dispatch) => dispatch > 1)
    expect(copied.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 2),
    )
    await query(lost, 'DELETE FROM outbox WHERE id LIKE ?', `dispatch:${id}:%`)
  })

  test('resends a cancellation that the fleet did not receive', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const { call, fleet } = testContext
    const person = await register(testContext)
    const { token } = person
    const id = await submit(testContext, person)
    await fleet.setMode('refusing')
    await call('POST', `/api/v1/jobs/${id}/cancel`, { token })
    await testContext.settled()
    expect(await outboxOf(testContext, id)).toMatchObject([{ id: `cancel:${id}` }])
    await fleet.setMode('ok')
    await query(testContext, 'UPDATE outbox SET due_at = 0 WHERE id = ?', `cancel:${id}`)
    await runScheduled(testContext.deps)
    expect(await outboxOf(testContext, id)).toEqual([])
    expect((await fleet.requests()).filter(({ path }) => path === 'cancel').at(-1)?.body).toEqual({
      job_id: id,
    })
  })

  test('does not redispatch a job that another run dispatched after both listed it', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    const before = Date.now() - 11 * 60_000
    await query(testContext, 'UPDATE jobs SET heard_at = ? WHERE id = ?', before - 1, id)
    expect(await redispatchJobs(testContext.deps, [id], before)).toBe(1)
    expect(await redispatchJobs(testContext.deps, [id], before)).toBe(0)
  })

  test.each([
    ['queued', 11],
    ['processing', 3],
  ])(
    'redispatches a %s job after %i minutes without a report, under the next number',
    async (status, minutes) => {
      const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
      const id = await submit(testContext, await register(testContext))
      await deliver(testContext, await outboxOf(testContext, id))
      if (status === 'processing') await report(testContext, started(id))
      await testContext.deps.progress.forget([id])
      await query(testContext, 'UPDATE jobs SET heard_at = ? WHERE id = ?', Date.now() - minutes * 60_000, id)
      await Promise.all([runScheduled(testContext.deps), runScheduled(testContext.deps)])
      const rows = await outboxOf(testContext, id)
      expect(rows.map((row) => row.id)).toEqual([`dispatch:${id}:2`])
      await deliver(testContext, rows)
      expect((await dispatchesTo(testContext, id)).map(({ dispatch }) => dispatch)).toEqual([1, 2])
      const late = await report(testContext, finished(id, doneOutcome(id, 61, 2001), 2001))
      expect(late.status).toBe(200)
    },
  )

  test('redispatches a stale job next to one with an unreadable dispatch, and reports that one', async () => {
    const sent: { job_id: string; dispatch: number }[] = []
    const queue = { send: async (body: (typeof sent)[number]) => void sent.push(body) }
    const testContext = makeTestContext({ DISPATCH: queue })
    const person = await register(testContext)
    const [broken, good] = [await submit(testContext, person), await submit(testContext, person)]
    await testContext.settled()
    await query(testContext, "UPDATE jobs SET heard_at = 0, dispatch = '{}' WHERE id = ?", broken)
    await query(testContext, 'UPDATE jobs SET heard_at = 1 WHERE id = ?', good)
    try {
      await expect(redispatchStaleJobs(testContext.deps)).rejects.toThrow('job_id')
      expect(sent.filter(({ job_id }) => job_id === good)).toMatchObject([{ dispatch: 1 }, { dispatch: 2 }])
    } finally {
      await query(testContext, "UPDATE jobs SET status = 'failed' WHERE id = ?", broken)
    }
  })

  test('leaves a job alone while the fleet reports on it', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    await report(testContext, started(id))
    await runScheduled(testContext.deps)
    await query(testContext, 'UPDATE jobs SET heard_at = 0 WHERE id = ?', id)
    await runScheduled(testContext.deps)
    expect(await outboxOf(testContext, id)).toEqual([])
  })

  test('removes the report ids of yesterday and keeps those of today', async () => {
    const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
    const id = await submit(testContext, await register(testContext))
    const [old, fresh] = [crypto.randomUUID(), crypto.randomUUID()]
    await report(testContext, started(id), { id: old })
    await report(testContext, finished(id, doneOutcome(id, 1)), { id: fresh })
    await query(
      testContext,
      'UPDATE callbacks SET created_at = ? WHERE id = ?',
      Date.now() - 25 * 3_600_000,
      old,
    )
    await runScheduled(testContext.deps)
    expect(await query(testContext, 'SELECT id FROM callbacks WHERE id IN (?, ?)', old, fresh)).toEqual([
      { id: fresh },
    ])
  })
})

describe('an effect of a kind known only to a newer version', () => {
  test('stays in the outbox, is reported, and does not block the others', async () => {
    const { deps } = makeTestContext()
    const known = { id: `purge:${crypto.randomUUID()}`, kind: 'purge' as const, payload: { keys: [] } }
    const unknown = { id: `later:${crypto.randomUUID()}`, kind: 'later' as 'purge', payload: {} }
    await commit(deps.db, effectStatements(deps.db, [unknown, known], Date.now()))
    await expect(sendEffects(deps, [unknown, known])).rejects.toThrow('unknown kind later')
    const { rows } = await deps.db.$client.execute({
      sql: 'SELECT id FROM outbox WHERE id IN (?, ?)',
      args: [unknown.id, known.id],
    })
    expect(rows.map(({ id }) => id)).toEqual([unknown.id])
    await deps.db.$client.execute({ sql: 'DELETE FROM outbox WHERE id = ?', args: [unknown.id] })
  })
})
