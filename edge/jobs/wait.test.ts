import { describe, expect, test, vi } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../test/edge/worker/reports.ts'
import { submitBatch } from '../../test/edge/worker/studio.ts'
import { showJobAtEnd, waitForEnd } from './wait.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

const read = (id: string, { token }: Person, wait: number) =>
  call('GET', `/api/v1/jobs/${id}?wait=${wait}`, { token })
const finish = (id: string) => report(testContext, finished(id, doneOutcome(id, 1)))

/** Waits until the shared watch has looked at the database. */
async function polled(): Promise<void> {
  const batch = vi.spyOn(deps.db.$client, 'execute')
  await expect.poll(() => batch.mock.calls.length, { timeout: 5000, interval: 5 }).toBeGreaterThan(0)
  batch.mockRestore()
}

describe('a read that waits', () => {
  test('answers with the job when it ends', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const answer = read(id, person, 60)
    await report(testContext, started(id))
    await finish(id)
    expect((await answer).json).toMatchObject({ id, status: 'done' })
    expect((await answer).headers.has('retry-after')).toBe(false)
    expect((await answer).json).toEqual((await read(id, person, 0)).json)
  })

  test('answers after its time with the current state', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const begun = Date.now()
    const answer = read(id, person, 1)
    await report(testContext, started(id))
    expect((await answer).json).toMatchObject({ status: 'processing' })
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000)
  })

  test('answers at once if the job has ended', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    await finish(id)
    expect((await read(id, person, 60)).json).toMatchObject({ status: 'done' })
  })

  test('waits for the last file of a batch', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submitBatch(testContext, person, 2)
    const answer = call('GET', `/api/v1/studio/batches/${id}?wait=60`, { token: person.token })
    await finish(found(jobs[0]).id)
    await polled()
    await finish(found(jobs[1]).id)
    expect((await answer).json).toMatchObject({ status: 'done', done: 2 })
    const now = await call('GET', `/api/v1/studio/batches/${id}?wait=60`, { token: person.token })
    expect(now.json).toEqual((await answer).json)
  })

  test('polls for twenty readers as often as for one, and answers one more at once', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const answers = Array.from({ length: 21 }, () => read(id, person, 60))
    const first = await Promise.race(answers)
    expect([first.json.status, first.headers.get('retry-after')]).toEqual(['queued', '5'])
    const select = vi.spyOn(deps.db, 'select')
    await finish(id)
    const states = (await Promise.all(answers)).map(({ json }) => json.status)
    expect(states.toSorted()).toEqual([...Array(20).fill('done'), 'queued'])
    expect(select.mock.calls.length).toBeLessThan(40)
    select.mockRestore()
    expect((await read(id, person, 60)).json).toMatchObject({ status: 'done' })
  })

  test('ends when its API key is paused', async () => {
    const person = await register(testContext)
    const { id: key_id, key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    const answer = call('GET', `/api/v1/jobs/${id}?wait=60`, { key })
    await call('POST', `/api/v1/tokens/${key_id}/toggle`, { token: person.token })
    const { status, code } = await answer
    expect([status, code]).toEqual([401, 'invalid_api_key'])
  })

  test.each(['job_not_found', 'batch_not_found'] as const)(
    'ends with %s once out of sight',
    async (unknown) => {
      const caller = { kind: 'anonymous', account: null, address_key: crypto.randomUUID() } as const
      const { signal } = new AbortController()
      const waiting = { wait: 60, signal, findCallerNow: async () => caller }
      const answer = waitForEnd(
        deps,
        caller,
        { owned: { accountId: 1 }, unknown },
        waiting,
        async () => false,
      )
      await expect(answer).rejects.toMatchObject({ code: unknown })
    },
  )

  test('stops when the client has left', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const { id: account } = person
    const caller = { kind: 'anonymous', account: null, address_key: `account ${account}` } as const
    await deps.db.$client.execute({ sql: 'UPDATE jobs SET account_id = NULL WHERE id = ?', args: [id] })
    const client = new AbortController()
    const findCallerNow = vi.fn(async () => caller)
    const answer = showJobAtEnd(deps, caller, id, { wait: 60, signal: client.signal, findCallerNow })
    await expect.poll(() => findCallerNow.mock.calls.length, { timeout: 5000 }).toBeGreaterThan(0)
    client.abort()
    expect(await answer).toMatchObject({ shown: { id, status: 'queued' }, outcome: 'ongoing' })
    const looks = findCallerNow.mock.calls.length
    await scheduler.wait(600)
    expect(findCallerNow.mock.calls.length).toBe(looks)
  })

  test('is refused to other accounts and for unknown ids, without waiting', async () => {
    const owner = await register(testContext)
    const { token } = await register(testContext)
    const batch = await submitBatch(testContext, owner, 1)
    for (const path of [
      `/api/v1/jobs/${found(batch.jobs[0]).id}`,
      `/api/v1/studio/batches/${batch.id}`,
      `/api/v1/jobs/${crypto.randomUUID()}`,
    ]) {
      expect((await call('GET', `${path}?wait=60`, { token })).status).toBe(404)
    }
  })

  test.each(['-1', '61', '1.5', 'x', ''])('refuses ?wait=%s', async (wait) => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    for (const path of [`/api/v1/jobs/${id}`, `/api/v1/studio/batches/${id}`]) {
      const { status, faults } = await call('GET', `${path}?wait=${wait}`, { token: person.token })
      expect([status, faults[0]?.loc]).toEqual([422, ['query', 'wait']])
    }
  })
})
