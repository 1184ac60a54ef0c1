import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { finished, report } from '../../test/edge/worker/reports.ts'
import { submitBatch } from '../../test/edge/worker/studio.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const ENGLISH = 'The video is 45 min long; the free tier allows up to 30 min. Use a shorter video.'
const UKRAINIAN =
  'Тривалість відео — 45 хв; рівень «безкоштовний» дозволяє до 30 хв. Використайте коротше відео.'
const REASON = { name: 'input_too_long', facts: { seconds: 2700, limit_seconds: 1800, tier: 'free' } }

const failedWith = (reason: object | undefined) => ({
  ...{
    status: 'failed' as const,
    processing_seconds: 1,
    error: ENGLISH,
    error_code: 'input_too_long' as const,
  },
  ...(reason === undefined ? {} : { reason: reason as typeof REASON }),
})
const fail = (id: string, reason: object | undefined = REASON) =>
  report(testContext, finished(id, failedWith(reason)))
const read = async (path: string, { token }: Person, language: string) =>
  (await call('GET', path, { token, headers: { 'accept-language': language } })).json as Record<
    string,
    unknown
  >

describe('the error of a job', () => {
  test('is in the language of the reader, with a stable code', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    await fail(id)
    const path = `/api/v1/jobs/${id}`
    expect(await read(path, person, 'en')).toMatchObject({ error: ENGLISH, error_code: 'input_too_long' })
    expect(await read(path, person, 'uk')).toMatchObject({ error: UKRAINIAN, error_code: 'input_too_long' })
    expect(await read('/api/v1/jobs', person, 'uk')).toMatchObject([{ error: UKRAINIAN }])
  })

  test.each([
    ['of an older fleet', undefined],
    ['with a name of a newer fleet', { name: 'no_such_failure', facts: {} }],
    ['without its facts', { name: 'parameter', facts: {} }],
  ])('%s is in English', async (_which, reason) => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    await report(testContext, finished(id, failedWith(reason)))
    expect(await read(`/api/v1/jobs/${id}`, person, 'uk')).toMatchObject({ error: ENGLISH })
  })
})

test('a webhook has the error in the language of the account', async () => {
  const person = await register(testContext)
  const { $client } = deps.db
  await $client.execute({ sql: "UPDATE accounts SET locale = 'uk' WHERE id = ?", args: [person.id] })
  const body = { ...SUBMISSION, webhook_url: 'https://example.com/webhook' }
  const id = (await call('POST', '/api/v1/jobs', { token: person.token, body })).json.id
  await fail(id)
  const [listed] = (await call('GET', `/api/v1/webhooks/deliveries?job_id=${id}`, { token: person.token }))
    .json
  const delivery = await read(`/api/v1/webhooks/deliveries/${listed?.id}`, person, 'en')
  expect(delivery).toMatchObject({ payload: { data: { id, error: UKRAINIAN } } })
})

test('the error of a batch that a file stopped is in the language of the reader', async () => {
  const person = await register(testContext)
  const { id, jobs } = await submitBatch(testContext, person, 2)
  await fail(jobs[0]?.id ?? '')
  const path = `/api/v1/studio/batches/${id}`
  const { error } = await read(path, person, 'en')
  expect(error).toMatch(new RegExp(`: ${ENGLISH.replaceAll('.', '\\.')}$`))
  expect((await read(path, person, 'uk')).error).toBe(String(error).replace(ENGLISH, UKRAINIAN))
})
