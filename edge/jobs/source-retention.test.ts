import { describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { type Person, register, SUBMISSION, showJob, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

async function askRow(sql: string, args: (string | number)[]) {
  const { rows } = await deps.db.$client.execute({ sql, args })
  return rows[0]
}

async function submitOn({ token }: Person, file_url: string): Promise<void> {
  const body = { ...SUBMISSION, params: { file_url } }
  const answer = await call('POST', '/api/v1/jobs', { token, body })
  expect(answer.status, answer.text).toBe(201)
}

/** Finishes a job and returns the URL of its result. */
async function makeResult(person: Person): Promise<{ id: string; url: string }> {
  const id = await submit(testContext, person)
  await report(testContext, finished(id, doneOutcome(id, 1)))
  return { id, url: found((await showJob(testContext, person, id)).result).url }
}

/** Converts an expiration time to hours from now. Files of a free account live for 24 hours. */
const leftOf = (expires_at: unknown) => (Number(expires_at) - Date.now()) / HOUR_MS

describe('a file with repeated submissions', () => {
  test('that was uploaded is kept for at most six hours beyond its retention', async () => {
    const person = await register(testContext)
    const { key, url } = await upload(testContext, person, MP4)
    const age = (age_ms: number) =>
      askRow('UPDATE uploads SET created_at = ?, expires_at = ? WHERE key = ?', [
        Date.now() - age_ms,
        Date.now() + MINUTE_MS,
        key,
      ])
    const kept = async () => {
      await submitOn(person, url)
      return leftOf((await askRow('SELECT expires_at FROM uploads WHERE key = ?', [key]))?.expires_at)
    }
    await age(24 * HOUR_MS - MINUTE_MS)
    expect(await kept()).toBeCloseTo(6, 1)
    await age(28 * HOUR_MS)
    expect(await kept()).toBeCloseTo(2, 1)
    await age(30 * HOUR_MS)
    const body = { ...SUBMISSION, params: { file_url: url } }
    const late = await call('POST', '/api/v1/jobs', { token: person.token, body })
    expect([late.status, late.json.code]).toEqual([400, 'invalid_file_url'])
  })

  test.each([
    ['compress', 23, 6],
    ['compress', 28, 2],
    ['link_info', 23, 0],
  ])('that is a result of %s from %i hours ago is kept for %i more hours', async (operation, hours, left) => {
    const person = await register(testContext)
    const { id, url } = await makeResult(person)
    await askRow('UPDATE jobs SET operation_key = ?, finished_at = ?, expires_at = ? WHERE id = ?', [
      operation,
      Date.now() - hours * HOUR_MS,
      Date.now() + MINUTE_MS,
      id,
    ])
    await submitOn(person, url)
    const row = await askRow('SELECT expires_at FROM jobs WHERE id = ?', [id])
    expect(leftOf(row?.expires_at)).toBeCloseTo(left, 1)
  })
})
