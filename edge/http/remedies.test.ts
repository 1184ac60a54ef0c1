import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallOptions, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
let person: Person
let key: string
let paused: string
let put_url: string
beforeAll(async () => {
  person = await register(testContext)
  key = (await makeKey(testContext, person)).key
  const other = await makeKey(testContext, person)
  await testContext.call('POST', `/api/v1/tokens/${other.id}/toggle`, { token: person.token })
  paused = other.key
  const body = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1000 }
  put_url = (await testContext.call('POST', '/api/v1/uploads/presign', { key, body })).json.put_url
})

const FILE = 'https://example.org/a.mp4'
const COMPRESS = { service_slug: 'video', operation_key: 'compress' }
const SUBMIT = 'POST /api/v1/jobs/api'
const PRESIGN = 'POST /api/v1/uploads/presign'
const PING = 'GET /api/v1/me/ping'
const JOBS = '/api/v1/jobs'

const submission = (body: object): CallOptions => ({ key, body: { ...COMPRESS, ...body } })
const withParams = (params: unknown) => submission({ params })
const presigning = (changed: object): CallOptions => ({
  key,
  body: { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1000, ...changed },
})

const withOperations = (operations: object[]) => withParams({ file_url: FILE, operations })
const template = (operations: object[]): CallOptions => ({
  key,
  body: { service_slug: 'video', operations },
})

function formOf(field: string, value: File | string): FormData {
  const form = new FormData()
  form.append(field, value)
  return form
}

function submissionForm(fields: Record<string, string>): FormData {
  const form = formOf('file', new File(['x'], 'a.mp4', { type: 'video/mp4' }))
  for (const [name, value] of Object.entries({ ...COMPRESS, ...fields })) form.append(name, value)
  return form
}

interface Mistake {
  request: string
  options: () => CallOptions
  answer: [status: number, code: string, param?: string]
  /** Must match `detail` or `help`. */
  remedy: RegExp
}

/** Mistakes that users make, each with the sentence that says how to fix it. */
const MISTAKES: Record<string, Mistake> = {
  'an API key for an endpoint of sessions': {
    request: 'GET /api/v1/tokens',
    options: () => ({ key }),
    answer: [401, 'missing_bearer_token'],
    remedy: /API keys do not work here/,
  },
  'an API key as bearer for an endpoint of sessions': {
    request: 'GET /api/v1/tokens',
    options: () => ({ token: key }),
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
    options: () => ({ token: key, body: COMPRESS }),
    answer: [401, 'invalid_bearer_token'],
    remedy: /With a key, use POST \/api\/v1\/jobs\/api;/,
  },
  'an API key without its scheme for submitting with a session': {
    request: 'POST /api/v1/jobs',
    options: () => ({ headers: { authorization: key }, body: COMPRESS }),
    answer: [401, 'missing_bearer_token'],
    remedy: /With a key, use POST \/api\/v1\/jobs\/api;/,
  },
  'an API key for the balance': {
    request: 'GET /api/v1/billing/balance',
    options: () => ({ key }),
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
    options: () => ({ key, body: { filename: 'a.mp4' } }),
    answer: [422, 'validation_failed'],
    remedy: /Send JSON to POST \/api\/v1\/uploads\/presign/,
  },
  'params of a form that are not JSON': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key, content: submissionForm({ params: 'level=strong' }) }),
    answer: [400, 'params_not_object', 'params'],
    remedy: /not valid JSON/,
  },
  'params of a form that are no object': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key, content: submissionForm({ params: '[1]' }) }),
    answer: [400, 'params_not_object', 'params'],
    remedy: /in a form, send it as a JSON string/,
  },
  'metadata of a form that is not JSON': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key, content: submissionForm({ metadata: 'customer=1' }) }),
    answer: [422, 'validation_failed', 'metadata'],
    remedy: /not valid JSON/,
  },
  'a length without its unit in a quote': {
    request: 'POST /api/v1/jobs/quote',
    options: () => submission({ params: { file_url: FILE }, duration: 60 }),
    answer: [422, 'validation_failed', 'duration'],
    remedy: /Did you mean duration_seconds\?/,
  },
  'an operation of another service': {
    request: SUBMIT,
    options: () => submission({ service_slug: 'image', operation_key: 'trim' }),
    answer: [400, 'unknown_operation', 'operation_key'],
    remedy: /video\/trim exists: change service_slug/,
  },
  'a pipeline as an operation': {
    request: SUBMIT,
    options: () => submission({ service_slug: 'image', operation_key: 'pipeline' }),
    answer: [400, 'unknown_operation', 'operation_key'],
    remedy: /the others in params\.operations/,
  },
  'a time for seconds': {
    request: SUBMIT,
    options: () => submission({ operation_key: 'trim', params: { file_url: FILE, start: '00:00:01' } }),
    answer: [400, 'invalid_params', 'params.start'],
    remedy: /must be a number of seconds, for example 1, not/,
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
    options: () => ({ headers: { authorization: key } }),
    answer: [401, 'missing_api_key'],
    remedy: /Authorization: Bearer followed by a space and the key/,
  },
  'a session token in place of a key': {
    request: PING,
    options: () => ({ key: person.token }),
    answer: [401, 'invalid_api_key'],
    remedy: /starts with mk_/,
  },
  'a paused key': {
    request: PING,
    options: () => ({ key: paused }),
    answer: [401, 'invalid_api_key'],
    remedy: /paused. Resume it/,
  },
  'parameters at the top level': {
    request: SUBMIT,
    options: () => submission({ crf: 20 }),
    answer: [422, 'validation_failed', 'crf'],
    remedy: /belong in params/,
  },
  'a misspelled operation': {
    request: SUBMIT,
    options: () => submission({ operation_key: 'compres' }),
    answer: [400, 'unknown_operation', 'operation_key'],
    remedy: /Did you mean compress\?/,
  },
  'a misspelled service': {
    request: SUBMIT,
    options: () => submission({ service_slug: 'videos' }),
    answer: [404, 'unknown_service', 'service_slug'],
    remedy: /Did you mean video\?/,
  },
  'a misspelled field': {
    request: SUBMIT,
    options: () => submission({ webhookUrl: FILE }),
    answer: [422, 'validation_failed', 'webhookUrl'],
    remedy: /Did you mean webhook_url\?/,
  },
  'fields of another API': {
    request: SUBMIT,
    options: () => submission({ operation: 'compress' }),
    answer: [422, 'validation_failed', 'operation'],
    remedy: /Did you mean operation_key\?/,
  },
  'a put_url as file_url': {
    request: SUBMIT,
    options: () => withParams({ file_url: put_url }),
    answer: [400, 'invalid_file_url', 'params.file_url'],
    remedy: /Send the url that the same response contains/,
  },
  'url for file_url': {
    request: SUBMIT,
    options: () => withParams({ url: FILE }),
    answer: [400, 'invalid_params', 'params.url'],
    remedy: /Did you mean file_url\?/,
  },
  'no file': {
    request: SUBMIT,
    options: () => withParams({}),
    answer: [400, 'invalid_file_url', 'params.file_url'],
    remedy: /Send the URL of a file/,
  },
  'a local path': {
    request: SUBMIT,
    options: () => withParams({ file_url: './a.mp4' }),
    answer: [400, 'invalid_file_url', 'params.file_url'],
    remedy: /a URL that an upload returned/,
  },
  'a misspelled parameter': {
    request: SUBMIT,
    options: () => withParams({ file_url: FILE, levle: 'strong' }),
    answer: [400, 'invalid_params', 'params.levle'],
    remedy: /Did you mean level\?/,
  },
  'a parameter out of range': {
    request: SUBMIT,
    options: () => withParams({ file_url: FILE, crf: 99 }),
    answer: [400, 'invalid_params', 'params.crf'],
    remedy: /must be at most 51, not 99/,
  },
  'params as a string': {
    request: SUBMIT,
    options: () => withParams('{"crf": 20}'),
    answer: [400, 'params_not_object', 'params'],
    remedy: /Send params as an object/,
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
  'a pipeline in a pipeline': {
    request: SUBMIT,
    options: () => withOperations([{ operation_key: 'mute', params: { operations: [] } }]),
    answer: [400, 'invalid_params', 'params.operations.0.params.operations'],
    remedy: /List all operations one after another/,
  },
  'an invalid name of a template': {
    request: 'PUT /api/v1/templates/Teaser%20one',
    options: () => ({ key, body: { service_slug: 'video', operations: [{ operation_key: 'mute' }] } }),
    answer: [422, 'validation_failed', 'template_name'],
    remedy: /1 to 64 lowercase letters/,
  },
  'an empty name of a template': {
    request: 'PUT /api/v1/templates/%20',
    options: () => ({ key, body: { service_slug: 'video', operations: [{ operation_key: 'mute' }] } }),
    answer: [422, 'validation_failed', 'template_name'],
    remedy: /1 to 64 lowercase letters/,
  },
  'an invalid parameter in a template': {
    request: 'PUT /api/v1/templates/teaser',
    options: () => template([{ operation_key: 'mute' }, { operation_key: 'compress', params: { crf: 99 } }]),
    answer: [400, 'invalid_params', 'operations.1.params.crf'],
    remedy: /operations\.1\.params\.crf: must be at most 51/,
  },
  'an invalid parameter in the first operation of a template': {
    request: 'PUT /api/v1/templates/teaser',
    options: () => template([{ operation_key: 'compress', params: { crf: 99 } }]),
    answer: [400, 'invalid_params', 'operations.0.params.crf'],
    remedy: /operations\.0\.params\.crf: must be at most 51/,
  },
  'an empty key of metadata': {
    request: SUBMIT,
    options: () => submission({ params: { file_url: FILE }, metadata: { '': 1 } }),
    answer: [422, 'validation_failed', 'metadata.'],
    remedy: /Must have a name of 1 to 64 printable characters/,
  },
  'a control character in a key of metadata': {
    request: SUBMIT,
    options: () => submission({ params: { file_url: FILE }, metadata: { 'a\u0000': 1 } }),
    answer: [422, 'validation_failed', 'metadata.a\u0000'],
    remedy: /Must have a name of 1 to 64 printable characters/,
  },
  'an integer of metadata that a number cannot hold': {
    request: SUBMIT,
    options: () => ({
      key,
      raw: `{"service_slug":"video","operation_key":"mute","params":{"file_url":"${FILE}"},"metadata":{"order":9007199254740993}}`,
    }),
    answer: [422, 'validation_failed', 'metadata.order'],
    remedy: /Send it as a string/,
  },
  'such an integer of metadata in a form': {
    request: 'POST /api/v1/jobs/upload',
    options: () => ({ key, content: submissionForm({ metadata: '{"order":9007199254740993}' }) }),
    answer: [422, 'validation_failed', 'metadata.order'],
    remedy: /Send it as a string/,
  },
  'such an integer in the parameters of a template': {
    request: 'PUT /api/v1/templates/teaser',
    options: () => ({
      key,
      raw: '{"service_slug":"image","operations":[{"operation_key":"add_meta","params":{"tags":[9007199254740993]}}]}',
    }),
    answer: [422, 'validation_failed', 'operations.0.params.tags.0'],
    remedy: /Send it as a string/,
  },
  '__proto__ as a key of metadata': {
    request: SUBMIT,
    options: () => ({
      key,
      headers: { 'content-type': 'application/json' },
      raw: `{"service_slug":"video","operation_key":"compress","params":{},"metadata":{"__proto__":{"a":1}}}`,
    }),
    answer: [422, 'validation_failed'],
    remedy: /a field named __proto__. Use another name/,
  },
  'an output key with a leading slash': {
    request: SUBMIT,
    options: () => submission({ params: { file_url: FILE }, output: { storage: 'archive', key: '/abs' } }),
    answer: [422, 'validation_failed', 'output.key'],
    remedy: /no slash at its start or end/,
  },
  'an empty output key': {
    request: SUBMIT,
    options: () => submission({ params: { file_url: FILE }, output: { storage: 'archive', key: '' } }),
    answer: [422, 'validation_failed', 'output.key'],
    remedy: /a key of 1 to 1024 bytes/,
  },
  'an unknown storage connection': {
    request: SUBMIT,
    options: () => withParams({ file_url: 'storage://archive/a.mp4' }),
    answer: [400, 'invalid_file_url', 'params.file_url'],
    remedy: /Create the storage connection, or use the name of an existing one/,
  },
  'a number in another notation': {
    request: `GET ${JOBS}/x?wait=1e9`,
    options: () => ({ key }),
    answer: [422, 'validation_failed', 'wait'],
    remedy: /Must be a whole number from 0 to 60, written in digits/,
  },
  'another field for the file of a form': {
    request: 'POST /api/v1/uploads',
    options: () => ({ key, content: formOf('upload', new File(['x'], 'a.mp4')) }),
    answer: [422, 'validation_failed'],
    remedy: /The file is in the field upload. Send it in the field file/,
  },
  'a file that a form contains as text': {
    request: 'POST /api/v1/uploads',
    options: () => ({ key, content: formOf('file', './a.mp4') }),
    answer: [422, 'validation_failed'],
    remedy: /The field file has no file name, so it is text/,
  },
  'the word Bearer in X-Api-Key': {
    request: PING,
    options: () => ({ key: `Bearer ${key}` }),
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
    options: () => ({ key }),
    answer: [422, 'validation_failed', 'limit'],
    remedy: /Must be at most 200, not 5000/,
  },
  'a misspelled query parameter': {
    request: `GET ${JOBS}?limt=5`,
    options: () => ({ key }),
    answer: [422, 'validation_failed', 'limt'],
    remedy: /Did you mean limit\?/,
  },
  'a query parameter for an endpoint without any': {
    request: `${PING}?verbose=1`,
    options: () => ({ key }),
    answer: [422, 'validation_failed', 'verbose'],
    remedy: /Remove it/,
  },
  'a wrong method': {
    request: `PUT ${JOBS}`,
    options: () => ({ key }),
    answer: [405, 'method_not_allowed'],
    remedy: /Use GET or POST/,
  },
  'GET for an endpoint that submits': {
    request: 'GET /api/v1/jobs/upload',
    options: () => ({ key }),
    answer: [405, 'method_not_allowed'],
    remedy: /Use POST/,
  },
  'JSON that is cut off': {
    request: SUBMIT,
    options: () => ({ key, raw: '{"service_slug":' }),
    answer: [422, 'validation_failed'],
    remedy: /not valid JSON in UTF-8. Send a JSON object/,
  },
  'a body that is not declared as JSON': {
    request: SUBMIT,
    options: () => ({ key, raw: '{}', headers: { 'content-type': 'text/plain' } }),
    answer: [415, 'unsupported_media_type'],
    remedy: /Content-Type: application\/json/,
  },
  'a short password': {
    request: 'POST /api/v1/auth/register',
    options: () => ({ body: { email: 'someone@localhost.test', password: 'hunter2' } }),
    answer: [422, 'validation_failed', 'password'],
    remedy: /Must be at least 8 characters long/,
  },
}

const Refusal = z.object({
  code: z.string(),
  param: z.string().optional(),
  detail: z.unknown(),
  help: z.string(),
  doc_url: z.url(),
})

test.each(Object.entries(MISTAKES))('%s is answered with the remedy', async (_what, mistake) => {
  const [method = '', path = ''] = mistake.request.split(' ')
  const { status, text } = await testContext.call(method, path, mistake.options())
  const { code, param, detail, help, doc_url } = Refusal.parse(JSON.parse(text))
  expect([status, code, param]).toEqual([mistake.answer[0], mistake.answer[1], mistake.answer[2]])
  expect(JSON.stringify(detail) + help).toMatch(mistake.remedy)
  expect(doc_url).toBe(`${testContext.deps.env.PUBLIC_URL}/docs/errors#${code}`)
  expect(text).not.toContain('hunter2')
})

test('a wrong method names the allowed ones in Allow', async () => {
  const { headers } = await testContext.call('PUT', JOBS, { key })
  expect(headers.get('allow')).toBe('GET, HEAD, POST')
})

test.each(['GET', 'HEAD', 'OPTIONS'])(
  '%s at a path that a path with a parameter also matches names only its own methods',
  async (method) => {
    const { status, headers } = await testContext.open(method, '/api/v1/jobs/api', { key })
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
