import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { type Person, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext

let person: Person
beforeAll(async () => {
  person = await register(testContext)
})

function ask(language: string | undefined, path = '/api/v1/jobs/unknown') {
  const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
  return call('GET', path, { token: person.token, headers })
}

/** Submits a job whose params, or other fields, are replaced. */
function submitAs(language: string, changes: object, headers: Record<string, string> = {}) {
  const body = { ...SUBMISSION, ...changes }
  return call('POST', '/api/v1/jobs', {
    token: person.token,
    body,
    headers: { 'accept-language': language, ...headers },
  })
}

describe('the language of an error', () => {
  test.each([
    [undefined, 'en'],
    ['uk', 'uk'],
    ['uk-UA,uk;q=0.9,en;q=0.8', 'uk'],
    ['en;q=0.4, ru;q=0.7', 'ru'],
    ['de-DE, fr;q=0.9', 'en'],
    ['de, ru;q=0.1', 'ru'],
    ['uk;q=0, ru', 'ru'],
    ['*', 'en'],
    [';;q=x,,', 'en'],
  ])('with Accept-Language %j is %s', async (language, locale) => {
    const { status, headers } = await ask(language)
    expect([status, headers.get('content-language')]).toEqual([404, locale])
    expect(headers.get('vary')).toContain('Accept-Language')
  })

  test('changes detail and help, but no names', async () => {
    const [en, uk, ru] = await Promise.all([ask('en'), ask('uk'), ask('ru')])
    const names = { code: 'job_not_found', doc_url: expect.stringMatching(/\/docs\/errors#job_not_found$/) }
    expect(en.json).toMatchObject({ ...names, detail: 'Job not found. Check its id.' })
    expect(ru.json).toMatchObject({ ...names, detail: 'Задание не найдено. Проверьте его идентификатор.' })
    expect(uk.json).toMatchObject({
      ...names,
      detail: 'Завдання не знайдено. Перевірте його ідентифікатор.',
      help: expect.stringMatching(/^Перевірте ідентифікатор і обліковий запис/),
    })
  })

  test('applies to addresses without an endpoint and to missing credentials', async () => {
    const headers = { 'accept-language': 'ru' }
    const nowhere = await call('GET', '/api/v1/nowhere', { headers })
    const anonymous = await call('GET', '/api/v1/billing/balance', { headers })
    expect([nowhere.status, nowhere.json]).toMatchObject([
      404,
      { detail: 'По этому адресу нет ни метода API, ни страницы. Проверьте путь.' },
    ])
    expect([anonymous.status, anonymous.json.detail]).toEqual([401, 'Нет токена сеанса.'])
  })

  test('affects successful responses only where they contain texts', async () => {
    const [jobs, balance] = await Promise.all([
      ask('uk', '/api/v1/jobs'),
      ask('uk', '/api/v1/billing/balance'),
    ])
    expect([jobs.status, jobs.headers.get('content-language')]).toEqual([200, 'uk'])
    expect(jobs.headers.get('vary')).toContain('Accept-Language')
    expect([balance.status, balance.headers.get('content-language')]).toEqual([200, null])
  })
})

describe('invalid input is described in the language', () => {
  test('of the body', async () => {
    const { status, json, faults } = await submitAs('uk', { service_slug: 5, operaton_key: 'trim' })
    expect(status).toBe(422)
    expect(json).toMatchObject({ code: 'validation_failed', param: 'service_slug' })
    expect(faults).toEqual([
      { loc: ['body', 'service_slug'], msg: 'Значення має бути рядком; отримано 5.', type: 'invalid_type' },
      {
        loc: ['body', 'operaton_key'],
        msg: 'Невідоме поле. Можливо, ви мали на увазі operation_key?',
        type: 'unknown_field',
      },
    ])
  })

  test('of a query', async () => {
    const [wrong, large] = await Promise.all([
      ask('ru', '/api/v1/jobs?limit=x'),
      ask('ru', '/api/v1/jobs?limit=100000'),
    ])
    expect(wrong.faults[0]?.msg).toMatch(/^Значение должно быть целым числом/)
    expect(large.faults[0]?.msg).toMatch(/^Значение должно быть не больше \d+; получено 100000\.$/)
  })

  test('of a fault that only the use case can find', async () => {
    const answer = await submitAs('ru', { webhook_url: 'http://127.0.0.1/x' })
    expect(answer.faults[0]).toMatchObject({
      loc: ['body', 'webhook_url'],
      msg: expect.stringMatching(/^Должен быть общедоступный URL/),
    })
  })

  test('of params, without a word about charges, because nothing was charged', async () => {
    const params = { ...SUBMISSION.params, crf: 99 }
    const { json } = await submitAs('uk', { operation_key: 'compress', params })
    expect(json).toMatchObject({
      code: 'invalid_params',
      param: 'params.crf',
      detail: expect.stringMatching(/^crf: значення має бути не більше 51; отримано 99\.$/),
    })
  })

  test('of a misspelled operation in a pipeline', async () => {
    const params = { ...SUBMISSION.params, operations: [{ operation_key: 'mutee' }] }
    const [en, ru] = await Promise.all([submitAs('en', { params }), submitAs('ru', { params })])
    const param = 'params.operations.0.operation_key'
    expect(en.json).toMatchObject({ param, detail: expect.stringContaining('Did you mean mute?') })
    expect(ru.json).toMatchObject({ param, detail: expect.stringContaining('имели в виду mute?') })
  })
})

test('too few credits are reported as numbers and in words', async () => {
  const poor = await register(testContext)
  for (let count = 0; count < 10; count++) await submit(testContext, poor)
  const answerIn = (language: string) =>
    call('POST', '/api/v1/jobs', {
      token: poor.token,
      body: SUBMISSION,
      headers: { 'accept-language': language },
    })
  const [en, uk] = await Promise.all([answerIn('en'), answerIn('uk')])
  const facts = { code: 'insufficient_credits', needed: 2, available: 0 }
  const help = expect.stringContaining('2 credits needed, 0 available')
  expect([en.status, en.json]).toMatchObject([402, { ...facts, detail: 'not enough credits', help }])
  expect(uk.json).toMatchObject({
    ...facts,
    detail: 'Недостатньо бонусів: потрібно 2 бонуси, доступно 0.',
  })
})

test('a replayed refusal keeps the language of the first response', async () => {
  const named = { 'idempotency-key': crypto.randomUUID() }
  const unknown = { operation_key: 'nothing' }
  const first = await submitAs('uk', unknown, named)
  const again = await submitAs('ru', unknown, named)
  expect([first.status, again.headers.get('idempotency-replayed')]).toEqual([400, 'true'])
  expect(again.json.detail).toBe(first.json.detail)
  expect(again.headers.get('content-language')).toBe('uk')
})

/** Endpoints whose successful responses are in the caller's language too. */
const LOCALIZED = [
  ...['studio.listTools', 'jobs.list', 'jobs.get', 'jobs.streamEvents', 'jobs.cancel'],
  ...['batches.list', 'batches.get', 'batches.cancel', 'admin.listJobs', 'admin.cancelJob'],
  ...['uploadSessions.list', 'uploadSessions.get', 'uploadLinks.get', 'uploadLinks.getStatus'],
  ...['webhooks.listDeliveries', 'webhooks.getDelivery', 'webhooks.replayDelivery', 'webhooks.testEndpoint'],
]

interface DocumentedResponse {
  $ref?: string
  headers?: Record<string, unknown>
}

interface Documented {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        parameters?: { name: string; in: string }[]
        responses: Record<string, DocumentedResponse>
      }
    >
  >
  components: { responses: Record<string, DocumentedResponse> }
}

test('the API document describes the header of every operation that can fail, and the language of its errors', async () => {
  const { paths, components }: Documented = JSON.parse((await call('GET', '/openapi.json')).text)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(100)
  for (const { operationId, parameters = [], responses } of operations) {
    const isLocalized = LOCALIZED.includes(operationId)
    const selectsLanguage = parameters.some((each) => each.name === 'accept-language' && each.in === 'header')
    expect(selectsLanguage).toBe(Object.keys(responses).some((status) => Number(status) >= 400))
    for (const [status, response] of Object.entries(responses)) {
      const shared = components.responses[response.$ref?.split('/').at(-1) ?? '']
      const { headers = {} } = shared ?? response
      expect('Content-Language' in headers).toBe(isLocalized || Number(status) >= 400)
    }
  }
})
