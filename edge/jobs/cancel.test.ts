import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, makeKey, register, showJob, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call } = testContext

describe('canceling', () => {
  test.each(['queued', 'processing'])(
    'a %s job refunds every credit and notifies the fleet',
    async (status) => {
      const { call, fleet } = testContext
      const person = await register(testContext)
      const id = await submit(testContext, person)
      if (status === 'processing') await report(testContext, started(id))
      expect((await showJob(testContext, person, id)).status).toBe(status)
      const answer = await call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
      expect([answer.status, answer.json.status, answer.json.final_cost]).toEqual([200, 'canceled', 0])
      const { entries, check } = await ledgerOf(testContext, person)
      expect(check).toMatchObject({ ok: true, balance: 20 })
      expect(entries[0]).toMatchObject({
        entry_type: 'refund',
        amount: 2,
        job_id: id,
        taken_from: [{ grant: 1, entry_type: 'daily_free', amount: 2 }],
      })
      await testContext.settled()
      const sent = await fleet.requests()
      expect(sent.filter(({ path, body }) => path === 'cancel' && body.job_id === id)).toHaveLength(1)
    },
  )

  test('works with an API key', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    expect((await call('POST', `/api/v1/jobs/${id}/cancel`, { key })).status).toBe(200)
  })

  test.each([
    ['done', (id: string) => finished(id, doneOutcome(id, 1))],
    ['failed', (id: string) => finished(id, FAILED)],
  ])('a %s job is 409 and changes nothing', async (status, makeReport) => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    expect((await report(testContext, makeReport(id))).status).toBe(200)
    const before = await ledgerOf(testContext, person)
    const answer = await call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
    expect([answer.status, answer.json.code]).toEqual([409, 'job_already_finished'])
    expect(answer.json.detail).toContain(status)
    expect(await ledgerOf(testContext, person)).toEqual(before)
  })

  test('by an administrator refunds the owner of the job', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const email = `${crypto.randomUUID()}@example.com`
    const administered = makeTestContext({ ADMIN_EMAILS: email })
    const body = { email, password: 'correct horse battery' }
    const token = (await administered.call('POST', '/api/v1/auth/register', { body })).json.access_token
    expect((await call('POST', `/api/v1/jobs/${id}/cancel`, { token })).status).toBe(200)
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
    expect((await call('GET', '/api/v1/billing/balance', { token })).json.balance).toBe(20)
  })

  test('ten times concurrently refunds once', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 20 })
  })

  test('concurrently with the finish lets one of them win, and the ledger sums agree', async () => {
    const person = await register(testContext)
    const ids = await Promise.all(Array.from({ length: 5 }, () => submit(testContext, person)))
    await Promise.all(
      ids.flatMap((id) => [
        call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token }),
        report(testContext, finished(id, doneOutcome(id, 61))),
      ]),
    )
    const jobs = await Promise.all(ids.map((id) => showJob(testContext, person, id)))
    const spent = jobs.map(({ status, final_cost }) => {
      expect([status, final_cost]).toEqual(status === 'done' ? ['done', 3] : ['canceled', 0])
      return final_cost ?? 0
    })
    const { check } = await ledgerOf(testContext, person)
    expect(check).toMatchObject({ ok: true, balance: 20 - spent.reduce((sum, cost) => sum + cost, 0) })
  })

  test('is final when the fleet continues: no report changes it, and the fleet is instructed to stop', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    await report(testContext, started(id))
    await call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
    const before = await ledgerOf(testContext, person)
    const progress = await report(testContext, progressed(id, 50))
    expect([progress.status, progress.json]).toEqual([200, { continue: false }])
    expect((await report(testContext, finished(id, doneOutcome(id, 61)))).status).toBe(409)
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'canceled', result: null })
  })

  test('while the fleet is down stays in the outbox until it is delivered', async () => {
    const down = makeTestContext()
    const person = await register(down)
    const id = await submit(down, person)
    await down.fleet.setMode('down')
    const answer = await down.call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
    expect(answer.status).toBe(200)
    await down.settled()
    const args = [`cancel:${id}`]
    const kept = await down.deps.db.$client.execute({ sql: 'SELECT id FROM outbox WHERE id = ?', args })
    expect(kept.rows).toHaveLength(1)
  })
})
