import { expect, test } from 'vitest'
import {
  COMPRESS,
  FILE,
  formOf,
  JOBS,
  known,
  PING,
  PRESIGN,
  presigning,
  SUBMIT,
  submission,
  submissionForm,
  testContext,
  testRemedies,
} from '../../test/edge/worker/remedies.ts'

/** Mistakes in requests, each with the sentence that says how to fix it. */
testRemedies({
  'an API key for an endpoint of sessions': {
    request: 'GET /api/v1/tokens',
    options: () => ({ key: known.key }),
    answer: [401, 'missing_bearer_token'],
    remedy: /API keys do not work here/,
  },
  'an API key as bearer for an endpoint of sessions': {
    request: 'GET /api/v1/tokens',
    options: () => ({ token: known.key }),
    answer: [401, 'invalid_bearer_token'],
    remedy: /API keys do not work here/,
  },
  'an API key for submitting with a session': {
    request: 'POST /api/v1/jobs',
    options: () => submission({}),
    answer: [401, 'missing_bearer_token'],
    remedy: /With a key, use POST \/api\/v1\/jobs\/api;/,
  },
  'an API key as bearer for submitting with a session': {
    request: 'POST /api/v1/jobs',
    options: () => ({ token: known.key, body: COMPRESS }),
    answer: [401, 'invalid_bearer_token'],
    remedy: /With a key, use POST \/api\/v1\/jobs\/api;/,
  },
  'an API key without its scheme for submitting with a session': {
    request: 'POST /api/v1/jobs',
    options: () => ({ headers: { authorization: known.key }, body: COMPRESS }),
    answer: [401, 'missing_bearer_token'],
    remedy: /With a key, use POST \/api\/v1\/jobs\/api;/,
  },
  'an API key for the balance': {
    request: 'GET /api/v1/billing/balance',
    options: () => ({ key: known.key }),
    answer: [401, 'missing_bearer_token'],
    remedy: /With a key, use GET \/api\/v1\/me\/ping;/,
  },
  'JSON for the form that submits a file': {
    request: 'POST /api/v1/jobs/upload',
    options: () => submission({ params: { file_url: FILE } }),
    answer: [422, 'validation_failed'],
    remedy: /Send JSON to POST \/api\/v1\/jobs\/api/,
  },
  'JSON for the form that uploads a file': {
    request: 'POST /api/v1/uploads',
    options: () => ({ key: known.key, body: { filename: 'a.mp4' } }),
    answer: [422, 'validation_failed'],
    remedy: /Send JSON to POST \/api\/v1\/uploads\/presign/,
  },
  'params of a form that are not JSON': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key: known.key, content: submissionForm({ params: 'level=strong' }) }),
    answer: [400, 'params_not_object', 'params'],
    remedy: /not valid JSON/,
  },
  'params of a form that are no object': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key: known.key, content: submissionForm({ params: '[1]' }) }),
    answer: [400, 'params_not_object', 'params'],
    remedy: /in a form, send it as a JSON string/,
  },
  'metadata of a form that is not JSON': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key: known.key, content: submissionForm({ metadata: 'customer=1' }) }),
    answer: [422, 'validation_failed', 'metadata'],
    remedy: /not valid JSON/,
  },
  'a path without /api': {
    request: 'POST /v1/jobs',
    options: () => submission({}),
    answer: [404, 'not_found'],
    remedy: /Did you mean \/api\/v1\/jobs\?/,
  },
  'a PDF': {
    request: PRESIGN,
    options: () => presigning({ filename: 'a.pdf', content_type: 'application/pdf' }),
    answer: [415, 'file_type_not_allowed'],
    remedy: /video\/\*, image\/\*, audio\/\*, text\/vtt/,
  },
  'a key without its scheme': {
    request: PING,
    options: () => ({ headers: { authorization: known.key } }),
    answer: [401, 'missing_api_key'],
    remedy: /Authorization: Bearer followed by a space and the key/,
  },
  'a session token in place of a key': {
    request: PING,
    options: () => ({ key: known.person.token }),
    answer: [401, 'invalid_api_key'],
    remedy: /starts with mk_/,
  },
  'a paused key': {
    request: PING,
    options: () => ({ key: known.paused }),
    answer: [401, 'invalid_api_key'],
    remedy: /paused. Resume it/,
  },
  'a type that no operation processes': {
    request: PRESIGN,
    options: () => presigning({ filename: 'a.zip', content_type: 'application/zip' }),
    answer: [415, 'file_type_not_allowed'],
    remedy: /Send a video, an image, audio or subtitles/,
  },
  'a type of source code': {
    request: PRESIGN,
    options: () => presigning({ filename: 'a.php', content_type: 'application/x-php' }),
    answer: [415, 'file_type_not_allowed'],
    remedy: /or use application\/octet-stream/,
  },
  'a number in another notation': {
    request: `GET ${JOBS}/x?wait=1e9`,
    options: () => ({ key: known.key }),
    answer: [422, 'validation_failed', 'wait'],
    remedy: /Must be a whole number from 0 to 60, written in digits/,
  },
  'another field for the file of a form': {
    request: 'POST /api/v1/uploads',
    options: () => ({ key: known.key, content: formOf('upload', new File(['x'], 'a.mp4')) }),
    answer: [422, 'validation_failed'],
    remedy: /The file is in the field upload. Send it in the field file/,
  },
  'a file that a form contains as text': {
    request: 'POST /api/v1/uploads',
    options: () => ({ key: known.key, content: formOf('file', './a.mp4') }),
    answer: [422, 'validation_failed'],
    remedy: /The field file has no file name, so it is text/,
  },
  'the word Bearer in X-Api-Key': {
    request: PING,
    options: () => ({ key: `Bearer ${known.key}` }),
    answer: [401, 'invalid_api_key'],
    remedy: /Remove the word Bearer/,
  },
  'a size as a string': {
    request: PRESIGN,
    options: () => presigning({ size_bytes: '1000' }),
    answer: [422, 'validation_failed', 'size_bytes'],
    remedy: /Must be a number, not \\"1000\\"/,
  },
  'a page limit that is too large': {
    request: `GET ${JOBS}?limit=5000`,
    options: () => ({ key: known.key }),
    answer: [422, 'validation_failed', 'limit'],
    remedy: /Must be at most 200, not 5000/,
  },
  'a misspelled query parameter': {
    request: `GET ${JOBS}?limt=5`,
    options: () => ({ key: known.key }),
    answer: [422, 'validation_failed', 'limt'],
    remedy: /Did you mean limit\?/,
  },
  'a query parameter for an endpoint without any': {
    request: `${PING}?verbose=1`,
    options: () => ({ key: known.key }),
    answer: [422, 'validation_failed', 'verbose'],
    remedy: /Remove it/,
  },
  'a wrong method': {
    request: `PUT ${JOBS}`,
    options: () => ({ key: known.key }),
    answer: [405, 'method_not_allowed'],
    remedy: /Use GET or POST/,
  },
  'GET for an endpoint that submits': {
    request: 'GET /api/v1/jobs/upload',
    options: () => ({ key: known.key }),
    answer: [405, 'method_not_allowed'],
    remedy: /Use POST/,
  },
  'JSON that is cut off': {
    request: SUBMIT,
    options: () => ({ key: known.key, raw: '{"service_slug":' }),
    answer: [422, 'validation_failed'],
    remedy: /not valid JSON in UTF-8. Send a JSON object/,
  },
  'a body that is not declared as JSON': {
    request: SUBMIT,
    options: () => ({ key: known.key, raw: '{}', headers: { 'content-type': 'text/plain' } }),
    answer: [415, 'unsupported_media_type'],
    remedy: /Content-Type: application\/json/,
  },
  'a short password': {
    request: 'POST /api/v1/auth/register',
    options: () => ({ body: { email: 'someone@localhost.test', password: 'hunter2' } }),
    answer: [422, 'validation_failed', 'password'],
    remedy: /Must be at least 8 characters long/,
  },
})

test('a wrong method names the allowed ones in Allow', async () => {
  const { headers } = await testContext.call('PUT', JOBS, { key: known.key })
  expect(headers.get('allow')).toBe('GET, HEAD, POST')
})

test.each(['GET', 'HEAD', 'OPTIONS'])(
  '%s at a path that a path with a parameter also matches names only its own methods',
  async (method) => {
    const { status, headers } = await testContext.open(method, '/api/v1/jobs/api', { key: known.key })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  },
)

test('the page of doc_url has an anchor for the code', async () => {
  const { status, text } = await testContext.call('GET', '/docs/errors')
  expect(status).toBe(200)
  expect(text).toContain('id="unknown_operation"')
})

test('a body with very many or very long unknown fields gets a short response', async () => {
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`service_slu${index}`, 0]))
  const flooded = await testContext.call('POST', '/api/v1/jobs/api', submission(many))
  expect([flooded.status, flooded.faults.length, flooded.text.length < 10_000]).toEqual([422, 10, true])
  const long = await testContext.call('POST', '/api/v1/jobs/api', submission({ ['x'.repeat(500_000)]: 0 }))
  expect([long.status, long.faults.length, long.text.length < 2000]).toEqual([422, 1, true])
})
