import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4, TEXT } from '../../test/edge/worker/files.ts'
import {
  giveCredits,
  ledgerOf,
  makeKey,
  register,
  SUBMISSION,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext

describe('submitting a job', () => {
  test.each(['/api/v1/jobs', '/api/v1/jobs/api'] as const)(
    'by %s charges the base and queues the job',
    async (path) => {
      const person = await register(testContext)
      const answer = await call('POST', path, { token: person.token, body: SUBMISSION })
      expect(answer.status).toBe(201)
      expect(answer.json).toMatchObject({
        ...SUBMISSION,
        status: 'queued',
        progress: 0,
        source: 'web',
        estimated_cost: 2,
        final_cost: null,
        result: null,
        error: null,
      })
      const { entries, check } = await ledgerOf(testContext, person)
      expect(check).toEqual({ ok: true, balance: 18, ledger_sum: 18, grants_sum: 18 })
      expect(entries[0]).toMatchObject({
        entry_type: 'debit',
        amount: -2,
        job_id: answer.json.id,
        taken_from: [{ grant: 1, entry_type: 'daily_free', amount: -2 }],
      })
    },
  )

  test('with an API key counts for the key', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const answer = await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION })
    expect([answer.status, answer.json.source]).toEqual([201, 'api'])
    expect((await call('GET', '/api/v1/tokens', { token: person.token })).json[0]?.used_today).toBe(1)
  })

  test('accepts an upload of the account', async () => {
    const person = await register(testContext)
    const { url } = await upload(testContext, person, MP4)
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect((await call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
  })

  test('without enough credits is 402 and writes nothing', async () => {
    const person = await register(testContext)
    for (let count = 0; count < 10; count++) await submit(testContext, person)
    const before = await ledgerOf(testContext, person)
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })
    expect([answer.status, answer.json.code]).toEqual([402, 'insufficient_credits'])
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token: person.token })).json).toHaveLength(10)
  })
})

describe('200 concurrent submissions with a balance for 50', () => {
  test('accept exactly 50', { timeout: 60_000 }, async () => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 80)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION }),
      ),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(201), count(402)]).toEqual([50, 150])
    const { check, entries } = await ledgerOf(testContext, person)
    expect(check).toEqual({ ok: true, balance: 0, ledger_sum: 0, grants_sum: 0 })
    expect(entries).toHaveLength(52)
  })
})

test('a file with unrecognized first bytes is left to the fleet', async () => {
  const person = await register(testContext)
  const { url } = await upload(testContext, person, TEXT)
  const body = { ...SUBMISSION, params: { file_url: url } }
  expect((await call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
})

describe('reading jobs', () => {
  test('shows one, or all of them newest first by page', async () => {
    const person = await register(testContext)
    const ids = [
      await submit(testContext, person),
      await submit(testContext, person),
      await submit(testContext, person),
    ]
    const one = await call('GET', `/api/v1/jobs/${ids[0]}`, { token: person.token })
    expect([one.status, one.json.id]).toEqual([200, ids[0]])
    const shown = async (query: string) =>
      (await call('GET', `/api/v1/jobs?${query}`, { token: person.token })).json.map(
        ({ id }: { id: string }) => id,
      )
    expect([...(await shown(''))].sort()).toEqual([...ids].sort())
    expect([...(await shown('limit=2')), ...(await shown('limit=2&offset=2'))]).toEqual(
      await shown('mine=true'),
    )
    expect(await shown('offset=1000000000')).toEqual([])
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1e400', 'offset'],
    ['mine=perhaps', 'mine'],
  ])('refuses ?%s', async (query, field) => {
    const { token } = await register(testContext)
    const answer = await call('GET', `/api/v1/jobs?${query}`, { token })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', field]])
    expect(answer.text).not.toMatch(/NaN/)
  })

  test("responds 404 for another account's job and an unknown one", async () => {
    const owner = await register(testContext)
    const id = await submit(testContext, owner)
    const before = await ledgerOf(testContext, owner)
    const { token } = await register(testContext)
    for (const other of [id, crypto.randomUUID(), 'x', '%F0%9F%92%B3', "'%20OR%201=1"]) {
      const shown = await call('GET', `/api/v1/jobs/${other}`, { token })
      const canceled = await call('POST', `/api/v1/jobs/${other}/cancel`, { token })
      expect([shown.status, canceled.status, shown.json.code]).toEqual([404, 404, 'job_not_found'])
    }
    expect(await ledgerOf(testContext, owner)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token })).json).toEqual([])
  })

  test('shows an administrator all jobs, and only their own with mine=true', async () => {
    const id = await submit(testContext, await register(testContext))
    const email = `${crypto.randomUUID()}@example.com`
    const administered = makeTestContext({ ADMIN_EMAILS: email })
    const body = { email, password: 'correct horse battery' }
    const token = (await administered.call('POST', '/api/v1/auth/register', { body })).json.access_token
    expect((await call('GET', `/api/v1/jobs/${id}`, { token })).status).toBe(200)
    expect((await call('GET', '/api/v1/jobs?limit=1', { token })).json).toHaveLength(1)
    expect((await call('GET', '/api/v1/jobs?mine=1', { token })).json).toEqual([])
  })
})
