/** @module-tag extended */

import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext

const WITH_BODY = [
  '/api/v1/auth/register',
  '/api/v1/auth/login',
  '/api/v1/tokens',
  '/api/v1/jobs',
  '/api/v1/jobs/api',
  '/api/v1/uploads/presign',
]

const JOB = { service_slug: 'video', operation_key: 'compress' }
const PERSON = { email: 'someone@example.com', password: 'correct horse battery' }
const FILE = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 5 }

let person: Person
let before: unknown
beforeAll(async () => {
  person = await register(testContext)
  before = await ledgerOf(testContext, person)
})

/** Expects a 4xx response in the error format, and checks that nothing was charged or created. */
async function expectRefused(path: string, raw: string, headers: Record<string, string> = {}) {
  const answer = await call('POST', path, { token: person.token, raw, headers })
  expect([422, 413, 400], `${path} ${raw.slice(0, 80)}: ${answer.text}`).toContain(answer.status)
  expect(JSON.parse(answer.text).request_id).toBe(answer.headers.get('x-request-id'))
  if (answer.status === 422) {
    for (const fault of answer.faults) {
      expect(fault).toEqual({
        loc: expect.arrayContaining(['body']),
        msg: expect.any(String),
        type: expect.any(String),
      })
    }
  }
  expect(await ledgerOf(testContext, person)).toEqual(before)
  return answer
}

describe.each(WITH_BODY)('POST %s', (path) => {
  test.each(['{', '', 'nonsense', '{"a":1,}', '\u0000', '{"email": NaN}', '[1,2', '\ufeff{}{}'])(
    'refuses %j, which is not JSON',
    async (raw) => {
      const { status, faults } = await expectRefused(path, raw)
      expect([status, faults[0]?.loc]).toEqual([422, ['body']])
    },
  )

  test.each(['null', '[]', '"text"', '5', 'true', '[{}]'])(
    'refuses %s, which is not an object',
    async (raw) => {
      expect((await expectRefused(path, raw)).status).toBe(422)
    },
  )

  test('refuses a body over 1 MiB, also without a declared length', async () => {
    const raw = JSON.stringify({ filler: 'x'.repeat(1024 * 1024) })
    expect((await expectRefused(path, raw)).status).toBe(413)
  })
})

/** A lone surrogate, which is valid in JSON but cannot be stored. */
const HALF = '\\ud800'

describe('a lone surrogate', () => {
  test.each([
    ['/api/v1/auth/register', { ...PERSON, full_name: 'HALF' }],
    ['/api/v1/auth/login', { ...PERSON, email: 'HALF' }],
    ['/api/v1/tokens', { name: 'HALF' }],
    ['/api/v1/jobs', { ...JOB, params: { file_url: 'https://media.example.org/HALF.mp4' } }],
    ['/api/v1/jobs', { ...JOB, params: { file_url: 'https://media.example.org/a.mp4', filename: 'HALF' } }],
    ['/api/v1/jobs', { ...JOB, params: { file_url: 'https://media.example.org/a.mp4', HALF: 1 } }],
    ['/api/v1/jobs', { ...JOB, service_slug: 'HALF' }],
    ['/api/v1/jobs', { ...JOB, operation_key: 'HALF' }],
    ['/api/v1/uploads/presign', { ...FILE, filename: 'HALF.mp4' }],
  ])('in %s %j is refused', async (path, body) => {
    await expectRefused(path, JSON.stringify(body).replaceAll('HALF', HALF))
  })
})

describe('a body in another encoding', () => {
  const url = 'https://media.example.org/a.mp4'
  const withTag = (tag: string) => JSON.stringify({ ...JOB, tag, params: { file_url: url } })
  const headers = { 'content-type': 'application/json' }

  test('that is not UTF-8 is refused, and charges nothing', async () => {
    const content = Uint8Array.from(Buffer.from(withTag('caf\u00e9'), 'latin1'))
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, content, headers })
    expect([answer.status, answer.faults[0]?.type]).toEqual([422, 'json_invalid'])
    expect(await ledgerOf(testContext, person)).toEqual(before)
  })

  test.each([
    ['latin1', 415],
    ['"iso-8859-1"', 415],
    ['utf-16', 415],
    ['UTF-8', 201],
    ['"utf8"', 201],
  ])('that is declared as %s gets %i', async (charset, status) => {
    const sender = await register(testContext)
    const type = { 'content-type': `application/json; charset=${charset}` }
    const raw = withTag('caf\u00e9')
    const answer = await call('POST', '/api/v1/jobs', { token: sender.token, raw, headers: type })
    expect([answer.status, answer.json.tag]).toEqual([status, status === 201 ? 'caf\u00e9' : undefined])
  })
})

describe('JSON nested ten thousand levels deep', () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  test.each([
    ['/api/v1/auth/login', `{"email": ${deep}, "password": ${deep}}`],
    ['/api/v1/tokens', `{"name": ${deep}}`],
    ['/api/v1/jobs', `{"service_slug": "video", "operation_key": "compress", "params": {"crf": ${deep}}}`],
    [
      '/api/v1/jobs',
      `{"service_slug": "video", "operation_key": "compress", "params": {"filename": ${deep}}}`,
    ],
    [
      '/api/v1/jobs',
      `{"service_slug": "video", "operation_key": "compress", "params": {"operations": ${deep}}}`,
    ],
    [
      '/api/v1/jobs',
      `{"service_slug": "video", "operation_key": "compress", "params": ${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    ],
  ])('in %s is refused', async (path, raw) => {
    await expectRefused(path, raw)
  })
})

describe('a job submission', () => {
  test.each([
    [{ ...JOB, params: { ['x'.repeat(65)]: 1 } }, 'params'],
    [{ operation_key: 'compress' }, 'service_slug'],
    [{ ...JOB, service_slug: '' }, 'service_slug'],
    [{ ...JOB, service_slug: 'x'.repeat(65) }, 'service_slug'],
    [{ ...JOB, service_slug: ['video'] }, 'service_slug'],
    [{ ...JOB, operation_key: 5 }, 'operation_key'],
    [{ ...JOB, operation_key: {} }, 'operation_key'],
  ])('like %j is refused with the location of the fault', async (body, field) => {
    const { status, faults } = await expectRefused('/api/v1/jobs', JSON.stringify(body))
    expect([status, faults[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
  })

  test.each([
    '{"service_slug":"video","operation_key":"compress","params":{"__proto__":{"file_url":"https://media.example.org/a.mp4"}}}',
    '{"service_slug":"video","operation_key":"compress","__proto__":{"params":{"file_url":"https://media.example.org/a.mp4"}}}',
    '{"service_slug":"__proto__","operation_key":"__proto__"}',
  ])('cannot pollute prototypes: %s', async (raw) => {
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, raw })
    expect([400, 404, 422]).toContain(answer.status)
    expect(await ledgerOf(testContext, person)).toEqual(before)
  })

  test('gets 422 with every fault when params is not the only one', async () => {
    const { status, faults } = await expectRefused('/api/v1/jobs', JSON.stringify({ params: [] }))
    expect([status, faults.length]).toEqual([422, 3])
  })

  test('is refused as a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = 'service_slug=video&operation_key=compress'
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, raw, headers })
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type'])
  })
})

const WITH_PARAMS = [
  '/api/v1/jobs',
  '/api/v1/jobs/api',
  '/api/v1/jobs/quote',
  '/api/v1/studio/run',
  '/api/v1/studio/batch',
  '/api/v1/upload-sessions',
  '/api/v1/upload-sessions/api',
]

describe.each(WITH_PARAMS)('POST %s answers 400 in the words of the contract', (path) => {
  const file = 'https://media.example.org/a.mp4'
  const studio = path.endsWith('/run')
    ? { file_url: file }
    : path.endsWith('/batch')
      ? { file_urls: [file] }
      : {}

  test.each([[[]], ['text'], ['{"level":"strong"}'], [null], [5], [false]])(
    'for params %j',
    async (params) => {
      const { status, code } = await expectRefused(path, JSON.stringify({ ...JOB, ...studio, params }))
      expect([status, code]).toEqual([400, 'params_not_object'])
    },
  )

  test.each([[[]], ['text'], [null]])('for params %j of a pipeline operation', async (inner) => {
    const params = { file_url: file, operations: [{ operation_key: 'mute', params: inner }] }
    const { status, code } = await expectRefused(path, JSON.stringify({ ...JOB, ...studio, params }))
    expect([status, code]).toEqual([400, 'invalid_params'])
  })
})

test('other characters are stored unchanged', async () => {
  const name = '💳 Ключ\u0000\u202e "quoted" \\ end'
  const other = await register(testContext)
  const answer = await call('POST', '/api/v1/tokens', { token: other.token, body: { name } })
  expect([answer.status, answer.json.name]).toEqual([201, name])
  expect((await call('GET', '/api/v1/tokens', { token: other.token })).json[0]?.name).toBe(name)
})

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s of an unknown path is 404', async (method) => {
  for (const path of [
    '/api',
    '/api/v1',
    '/api/v1/jobs/a/b/c',
    '/API/V1/JOBS',
    '//api/health',
    '/api/v1/%2e%2e',
  ]) {
    const answer = await call(method, path, { token: person.token })
    expect([answer.status, answer.code]).toEqual([404, 'not_found'])
  }
})

test('a misspelled path suggests that of an endpoint', async () => {
  const { json } = await call('POST', '/api/v1/job/api', { token: person.token })
  expect(json).toMatchObject({ detail: expect.stringContaining('Did you mean /api/v1/jobs/') })
})
