import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../test/edge/worker/context.ts'
import { register } from '../test/edge/worker/people.ts'
import { createApp } from './app.ts'
import { TAGS } from './http/tags.ts'
import { mapValues } from './platform/map-values.ts'
import { EVENT_TYPES } from './webhooks/rules/events.ts'

const testContext = makeTestContext()
const { call } = testContext
const UUID = /^[0-9a-f-]{36}$/

/** Accepts any input, so it refuses nothing. */
const TAKES_ANYTHING = 'post /api/v1/analytics/collect'

interface Operation {
  summary?: string
  operationId?: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<
    string,
    {
      $ref?: string
      description?: string
      headers?: object
      content?: Record<string, { schema: { $ref?: string }; examples?: object }>
    }
  >
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** Reads that ask callers with too many waiting reads to pause. */
const WAITING_READS = ['get /api/v1/jobs/{job_id}', 'get /api/v1/studio/batches/{batch_id}']

async function readDocument(): Promise<Document> {
  const answer = await call('GET', '/openapi.json')
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text)
}

/** Returns the responses of an operation, including those that it shares through the components. */
function responsesOf({ responses }: Operation, { components }: Document): Operation['responses'] {
  const resolve = (response: Operation['responses'][string]) =>
    response.$ref === undefined
      ? response
      : (components.responses?.[response.$ref.split('/').at(-1) ?? ''] as typeof response)
  return mapValues(responses, resolve)
}

function operationsOf(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: { ...operation, responses: responsesOf(operation, document) },
      name: `${method} ${path}`,
    })),
  )
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 of the current version', async () => {
    const document = await readDocument()
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toMatchObject({ title: 'Media Credits', version: '0.1.0' })
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual([
      'session',
      'administrator',
      'key',
      'keyAsBearer',
    ])
  })

  test('has no dangling references and a unique name for each operation', async () => {
    const document = await readDocument()
    const text = JSON.stringify(document)
    for (const [, group = '', name = ''] of text.matchAll(/"\$ref":"#\/components\/([^/"]+)\/([^"]+)"/g)) {
      expect(document.components[group], `${group}/${name}`).toHaveProperty(name)
    }
    const schemes = Object.keys(document.components.securitySchemes ?? {})
    const operations = operationsOf(document)
    for (const { operation, name } of operations) {
      for (const entry of operation.security ?? [])
        expect(schemes, name).toEqual(expect.arrayContaining(Object.keys(entry)))
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+\.[a-z][A-Za-z0-9]+$/)
  })

  test('documents the request id and limit headers of every response', async () => {
    for (const { operation, name } of operationsOf(await readDocument())) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        const names = Object.keys(headers ?? {})
        expect(names, name).toContain('X-Request-Id')
        const is_wait = status === '200' && WAITING_READS.includes(name)
        const has_pause = status === '429' || status === '503' || is_wait
        expect(names.includes('Retry-After'), `${name} ${status}`).toBe(has_pause)
        const is_shared = names.includes('ETag')
        expect(names.includes('RateLimit'), `${name} ${status}`).toBe(!is_shared)
        expect(names.includes('RateLimit-Policy'), `${name} ${status}`).toBe(!is_shared)
      }
    }
  })

  test('documents 405 with the methods of the path for every operation', async () => {
    for (const { operation, name } of operationsOf(await readDocument())) {
      const { content, headers } = operation.responses['405'] ?? {}
      expect(Object.keys(headers ?? {}), name).toContain('Allow')
      expect(content, name).toMatchObject({ 'application/json': { examples: { method_not_allowed: {} } } })
    }
  })

  test('documents 503 with Retry-After for every operation that uses the database', async () => {
    for (const { operation, name } of operationsOf(await readDocument())) {
      if (!name.includes('/api/v1/') || name === TAKES_ANYTHING) continue
      expect(operation.responses['503']?.content, name).toMatchObject({
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: { overloaded: {}, database_unavailable: {}, account_moving: {} },
        },
      })
    }
  })

  test.each([
    ['job.done', 'JobDoneEvent', 'Job'],
    ['job.failed', 'JobFailedEvent', 'Job'],
    ['job.canceled', 'JobCanceledEvent', 'Job'],
    ['batch.done', 'BatchDoneEvent', 'Batch'],
    ['batch.failed', 'BatchFailedEvent', 'Batch'],
    ['batch.canceled', 'BatchCanceledEvent', 'Batch'],
    ['test', 'TestEvent', 'Job'],
  ])('describes the webhook event %s', async (type, event, data) => {
    const { webhooks, components } = JSON.parse((await call('GET', '/openapi.json')).text)
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
    const { requestBody, parameters } = webhooks[type].post
    const schema = requestBody.content['application/json'].schema
    expect(schema.$ref).toBe(`#/components/schemas/${event}`)
    expect(components.schemas[event].properties).toMatchObject({
      type: { enum: [type] },
      data: { $ref: `#/components/schemas/${data}` },
    })
    const [, details] = components.schemas.WebhookDeliveryDetails.allOf
    expect(details.properties.payload.anyOf[0].$ref).toBe('#/components/schemas/WebhookEvent')
    expect(components.schemas.WebhookEvent.anyOf).toContainEqual(schema)
    expect(parameters.map((each: { name: string }) => each.name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
  })

  test('gives every operation a summary, a tag, its security and its error bodies', async () => {
    for (const { operation, path, name } of operationsOf(await readDocument())) {
      const { summary, description, tags, security, responses, parameters = [], requestBody } = operation
      expect([typeof summary, tags?.length, Array.isArray(security)], name).toEqual(['string', 1, true])
      expect(description, name).toMatch(/ (Requires|Accepts) /)
      expect(Object.keys(TAGS), name).toContain(tags?.[0])
      const bodyOf = (status: number) => responses[status]?.content?.['application/json']?.schema.$ref
      if (security?.length) expect(bodyOf(401), name).toBe('#/components/schemas/Error')
      const takesInput = requestBody || parameters.some((each) => each.name !== 'accept-language')
      if (takesInput && name !== TAKES_ANYTHING)
        expect(JSON.stringify(responses[422]), name).toContain('#/components/schemas/ValidationError')
      const errors = Object.keys(responses).filter(
        (status) => status >= '400' && status !== '422' && status !== '503',
      )
      for (const status of errors)
        expect(bodyOf(Number(status)), `${name} ${status}`).toBe('#/components/schemas/Error')
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      expect(
        parameters.filter((each) => each.in === 'path').map((each) => each.name),
        name,
      ).toEqual(inPath)
      expect(
        Object.keys(responses).some((status) => /^[23]/.test(status)),
        name,
      ).toBe(true)
    }
  })

  test('lists only existing routes, each with the guard it documents', async () => {
    for (const { operation, path, method, name } of operationsOf(await readDocument())) {
      const answer = await call(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'))
      expect(answer.code, name).not.toBe('not_found')
      const isOpen =
        operation.security?.length === 0 || operation.security?.some((each) => Object.keys(each).length === 0)
      if (!isOpen) expect(answer.status, name).toBe(401)
      // Without credentials, only anonymous jobs are readable, because their id is the credential. No job has id 1.
      else if (answer.status === 401)
        expect(path, name).toMatch(/^\/api\/v1\/(jobs\/\{job_id\}|studio\/batches\/\{batch_id\})/)
      expect(Object.keys(operation.responses), name).toContain(String(answer.status))
    }
  })

  test.each([
    'get /api/health',
    'get /api/ready',
    'post /api/v1/auth/register',
    'post /api/v1/auth/login',
    'post /api/v1/uploads/presign',
    'get /api/v1/uploads/download',
    'post /api/v1/jobs',
    'post /api/v1/jobs/api',
    'get /api/v1/jobs/{job_id}',
    'post /api/v1/jobs/{job_id}/cancel',
    'get /api/v1/billing/balance',
    'get /api/v1/billing/ledger',
    'get /api/v1/studio/tools',
    'get /api/v1/me/ping',
    'post /api/v1/tokens',
  ])('lists %s', async (name) => {
    expect(operationsOf(await readDocument()).map((each) => each.name)).toContain(name)
  })
})

test('the human-readable documentation is a page', async () => {
  const answer = await call('GET', '/docs')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/html/),
  ])
  expect(answer.text).toContain('Quick start')
})

test.each(['/docs/api', '/docs/api/', '/docs/api/index.html'])(
  '%s redirects to the list of all endpoints',
  async (path) => {
    const { status, headers } = await call('GET', path)
    expect([status, headers.get('location')]).toEqual([301, '/docs/endpoints'])
  },
)

test.each([
  '/docs',
  '/docs/errors',
  '/docs/api',
  '/docs/nowhere',
  '/send',
  '/auth/callback',
  '/billing/return',
  '/icon.svg',
  '/unsubscribe/nobody/jobs',
  '/',
  '/openapi.json',
  '/api/health',
  '/nowhere',
  '/files/uploads/none',
])('%s cannot be framed or sniffed', async (path) => {
  const { headers } = await call('GET', path)
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
  expect(headers.get('content-security-policy')).not.toMatch(/'unsafe/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*microphone=\(\)/)
  expect(headers.get('strict-transport-security')).toBeNull()
})

describe('every response carries a request id', () => {
  test.each([
    ['GET', '/api/health', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/api/v1/auth/me', 401],
    ['GET', '/nowhere', 404],
    ['PUT', '/api/health', 405],
    ['GET', '/api/v1/jobs/%', 401],
    ['GET', '/files/uploads/none', 404],
    ['POST', '/api/v1/auth/login', 422],
    ['POST', '/internal/callbacks', 401],
  ])('%s %s: %i', async (method, path, status) => {
    const answer = await call(method, path)
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, expect.stringMatching(UUID)])
    if (status >= 400) {
      expect(answer.json).toMatchObject({ detail: expect.anything(), code: expect.any(String) })
      expect(JSON.parse(answer.text).request_id).toBe(answer.headers.get('x-request-id'))
    }
  })

  test.each([
    ['the database is down', { DATABASE_URL: 'http://127.0.0.1:9' }, 503, 'database_unavailable'],
    ['a setting is missing', { FLEET_KEYS: '' }, 503, 'settings_invalid'],
  ])('also when %s, without revealing the cause', async (_name, settings, status, code) => {
    const { token } = await register(testContext)
    const answer = await makeTestContext(settings).call('GET', '/api/v1/billing/balance', { token })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, expect.stringMatching(UUID)])
    const request_id = answer.headers.get('x-request-id')
    const texts = { detail: expect.any(String), help: expect.any(String), doc_url: expect.any(String) }
    expect(answer.json).toEqual({ ...texts, code, request_id })
  })
})

test('responses over TLS require browsers to keep using TLS', async () => {
  const request = new Request('https://media.example.com/api/health')
  const { headers } = await createApp().fetch(request, testContext.env, createExecutionContext())
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})
