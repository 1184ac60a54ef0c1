import { expect, test } from 'vitest'
import { parseRetryAfter, readError } from './error.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

test('an error has the fields of the body and the headers', async () => {
  const body = {
    detail: 'width: must be at least 16.',
    code: 'invalid_params',
    param: 'params.width',
    help: 'Change it.',
    doc_url: 'https://media.example.com/docs/errors#invalid_params',
    request_id: 'r1',
  }
  expect(await readError(answer(400, body, { 'retry-after': '7' }))).toMatchObject({
    name: 'MediaError',
    message: 'width: must be at least 16.',
    status: 400,
    code: 'invalid_params',
    param: 'params.width',
    help: 'Change it.',
    docUrl: body.doc_url,
    requestId: 'r1',
    retryAfter: 7,
    detail: body.detail,
  })
})

test.each([
  [{ code: 'maintenance', message: 'Back soon.' }, 'Back soon.'],
  [
    [
      { loc: ['body', 'files', 0, 'url'], msg: 'is required' },
      { loc: ['query', 'limit'], msg: 'is too large' },
    ],
    'files.0.url: is required; limit: is too large',
  ],
])('the message describes the detail %j', async (detail, message) => {
  expect((await readError(answer(422, { detail, code: 'any' }))).message).toBe(message)
})

test.each(['<html>Bad gateway</html>', '', 'null', '[]', '7'])(
  'a response with the body %j is an error',
  async (body) => {
    expect(await readError(answer(502, body, { 'x-request-id': 'r2' }))).toMatchObject({
      status: 502,
      code: 'http_502',
      requestId: 'r2',
      param: undefined,
    })
  },
)

test.each([
  ['120', 120],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j is %s seconds', (value, seconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(seconds)
})
