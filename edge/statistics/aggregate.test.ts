import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { addUpUsage, removeOldRows } from './aggregate.ts'

const testContext = makeTestContext()
const DAY_MS = 24 * 60 * 60 * 1000

const count = async (table: string, where: string, value: string | number) =>
  (await query(testContext, `SELECT count(*) AS total FROM ${table} WHERE ${where} = ?`, value))[0]?.total

/** Backdates a job's rows in every table by the given number of days. */
async function age(id: string, person: number, days: number) {
  const at = Date.now() - days * DAY_MS
  const { $client } = testContext.deps.db
  await $client.batch(
    [
      { sql: 'UPDATE usage_events SET created_at = ? WHERE job_id = ?', args: [at, id] },
      // Transitions are append-only, so they are deleted and written again.
      { sql: 'DELETE FROM job_moves WHERE job_id = ?', args: [id] },
      {
        sql: "INSERT INTO job_moves (rowid, job_id, number, status, created_at) VALUES ((SELECT min(rowid) - 1 FROM job_moves), ?, 1, 'queued', ?)",
        args: [id, at],
      },
      {
        sql: `INSERT INTO webhook_deliveries (rowid, id, account_id, job_id, type, url, status, created_at, retry_until)
          VALUES ((SELECT coalesce(min(rowid), 1) - 1 FROM webhook_deliveries), ?, ?, ?, 'job.done', 'https://hooks.example.org/', 'delivered', ?, 0)`,
        args: [`msg_${id}`, person, id, at],
      },
      {
        sql: `INSERT INTO webhook_attempts (id, delivery_id, duration_ms, created_at)
          VALUES ((SELECT coalesce(min(id), 1) - 1 FROM webhook_attempts), ?, 1, ?)`,
        args: [`msg_${id}`, at],
      },
      {
        sql: `INSERT INTO request_logs (id, request_id, account_id, method, path, status, duration_ms, source, ip_hash, created_at)
          VALUES ((SELECT coalesce(min(id), 1) - 1 FROM request_logs), ?, ?, 'GET', '/', 200, 1, 'web', '', ?)`,
        args: [id, person, at],
      },
    ],
    'write',
  )
}

async function makeDone() {
  const person = await register(testContext)
  const id = await submit(testContext, person)
  await report(testContext, finished(id, doneOutcome(id, 61)))
  return { id, person }
}

describe('historical rows', () => {
  test('are removed after their retention from the settings; totals stay', async () => {
    const { id, person } = await makeDone()
    await addUpUsage(testContext.deps)
    await query(testContext, 'UPDATE usage_events SET id = -id WHERE job_id = ?', id)
    await age(id, person.id, 401)
    const kept = await makeDone()
    await age(kept.id, kept.person.id, 29)
    await removeOldRows(testContext.deps)
    const left = async (job: string) => [
      await count('usage_events', 'job_id', job),
      await count('job_moves', 'job_id', job),
      await count('webhook_deliveries', 'job_id', job),
      await count('webhook_attempts', 'delivery_id', `msg_${job}`),
      await count('request_logs', 'request_id', job),
    ]
    expect(await left(id)).toEqual([0, 0, 0, 0, 0])
    expect(await left(kept.id)).toEqual([2, 1, 1, 1, 1])
    const { json } = await testContext.call('GET', '/api/v1/stats/usage/summary', { token: person.token })
    expect(json).toMatchObject({ submissions: 1, done: 1, credits: 3 })
  })

  test('stay while a webhook is pending, and until usage is aggregated', async () => {
    const { id, person } = await makeDone()
    await age(id, person.id, 500)
    await query(testContext, "UPDATE webhook_deliveries SET status = 'pending' WHERE job_id = ?", id)
    // Usage has not been aggregated yet.
    const [state] = await query(
      testContext,
      "SELECT coalesce(max(through), 0) AS through FROM rollups WHERE name = 'usage'",
    )
    expect(Number(state?.through)).toBeLessThan(
      Number((await query(testContext, 'SELECT max(id) AS last FROM usage_events'))[0]?.last),
    )
    await removeOldRows(testContext.deps)
    expect(await count('webhook_deliveries', 'job_id', id)).toBe(1)
    expect(await count('usage_events', 'job_id', id)).toBe(2)
  })
})

test('the events of a job report its end even after its transitions were removed', async () => {
  const { id, person } = await makeDone()
  await query(testContext, 'DELETE FROM job_moves WHERE job_id = ?', id)
  const stream = await testContext.call('GET', `/api/v1/jobs/${id}/events`, { token: person.token })
  expect(stream.text.match(/^event: \w+|"status":"\w+"/gm)).toEqual(
    expect.arrayContaining(['event: status', '"status":"done"']),
  )
  const last = /^id: (.*)$/m.exec(stream.text)?.[1] ?? ''
  const again = await testContext.call('GET', `/api/v1/jobs/${id}/events`, {
    token: person.token,
    headers: { 'last-event-id': last },
  })
  expect(again.status).toBe(204)
})

describe('usage', () => {
  test('is aggregated once under concurrent runs', async () => {
    const { id, person } = await makeDone()
    await Promise.all(Array.from({ length: 8 }, () => addUpUsage(testContext.deps)))
    const sums = await query(
      testContext,
      'SELECT submissions, done, spent, processing_ms FROM usage_days WHERE account_id = ?',
      person.id,
    )
    expect([id !== '', sums]).toEqual([true, [{ submissions: 1, done: 1, spent: 3, processing_ms: 61_000 }]])
  })
})
