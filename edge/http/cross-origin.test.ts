/** @module-tag extended */

import { describe, expect, test } from 'vitest'
import { type CallOptions, LOST_QUEUE, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { makeKey, register, submit, upload } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
const { call, open } = testContext
const UNKNOWN_JOB = `/api/v1/jobs/${crypto.randomUUID()}`

const freshOrigin = () => `https://${crypto.randomUUID()}.example.com`

/** Creates an account that allows pages of one origin. */
async function allowOrigin(origin = freshOrigin()) {
  const person = await register(testContext)
  const body = { origins: [origin] }
  const answer = await call('PUT', '/api/v1/me/origins', { token: person.token, body })
  expect([answer.status, answer.json]).toEqual([200, body])
  return { person, origin }
}

/** Sends a request as a page of an origin, and returns the origin that can read the response. */
async function send(origin: string, method: string, path: string, options: CallOptions = {}) {
  const { status, headers } = await call(method, path, {
    ...options,
    headers: { ...options.headers, origin },
  })
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  return { status, headers, reader: headers.get('access-control-allow-origin') }
}

async function ask(origin: string, path: string, method = 'POST', headers: Record<string, string> = {}) {
  return send(origin, 'OPTIONS', path, {
    headers: { 'access-control-request-method': method, ...headers },
  })
}

const varies = (headers: Headers) => headers.get('vary')?.split(/, */).includes('Origin') ?? false

describe('public data', () => {
  test.each(['/api/v1/studio/tools', '/api/v1/public/config', '/api/v1/public/pricing', '/openapi.json'])(
    '%s is readable by pages of every origin',
    async (path) => {
      const { status, reader, headers } = await send(freshOrigin(), 'GET', path)
      expect([status, reader, varies(headers)]).toEqual([200, '*', false])
      const preflight = await ask(freshOrigin(), path, 'GET')
      expect([preflight.status, preflight.reader]).toEqual([204, '*'])
      expect((await call('GET', path)).headers.get('access-control-allow-origin')).toBe('*')
    },
  )

  test('includes files, whose URL is the credential, and ranges of them', async () => {
    const { url } = await upload(testContext, await register(testContext), MP4)
    const { pathname } = new URL(url)
    const whole = await send(freshOrigin(), 'GET', pathname)
    const part = await send(freshOrigin(), 'GET', pathname, { headers: { range: 'bytes=0-3' } })
    expect([whole.status, whole.reader, part.status, part.reader]).toEqual([200, '*', 206, '*'])
    expect(part.headers.get('access-control-expose-headers')).toContain('Content-Range')
    const preflight = await ask(freshOrigin(), pathname, 'GET', { 'access-control-request-headers': 'range' })
    expect(preflight.headers.get('access-control-allow-headers')?.split(',')).toContain('Range')
    expect((await send(freshOrigin(), 'GET', '/files/uploads/none')).reader).toBe('*')
  })
})

describe("an account's data", () => {
  test('is readable only by pages that the account lists, with a session or a key', async () => {
    const { person, origin } = await allowOrigin()
    const { key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    const job = `/api/v1/jobs/${id}`
    for (const options of [{ token: person.token }, { key }]) {
      const shown = await send(origin, 'GET', job, options)
      expect([shown.status, shown.reader, varies(shown.headers)]).toEqual([200, origin, true])
      expect(shown.headers.get('access-control-expose-headers')).toContain('X-Request-Id, RateLimit')
      for (const other of [freshOrigin(), `${origin}:8443`, origin.replace('https', 'http'), 'null']) {
        const refused = await send(other, 'GET', job, options)
        expect([refused.reader, varies(refused.headers)], other).toEqual([null, true])
      }
    }
  })

  test.each<[string, string, object?]>([
    ['GET', '/api/v1/jobs'],
    ['POST', '/api/v1/jobs', {}],
    ['POST', '/api/v1/jobs/api', {}],
    ['POST', '/api/v1/jobs/quote', {}],
    ['POST', `${UNKNOWN_JOB}/cancel`],
    ['POST', `${UNKNOWN_JOB}/repeat`],
    ['GET', `${UNKNOWN_JOB}/events`],
    ['POST', '/api/v1/studio/run', {}],
    ['POST', '/api/v1/studio/batch', {}],
    ['GET', '/api/v1/studio/batches'],
    ['GET', '/api/v1/studio/batches/none'],
    ['POST', '/api/v1/uploads', {}],
    ['POST', '/api/v1/uploads/presign', {}],
    ['POST', '/api/v1/uploads/multipart/create', {}],
    ['GET', '/api/v1/uploads/download?url=none'],
    ['PUT', '/api/v1/jobs'],
  ])('%s %s is readable, also if it is refused', async (method, path, body) => {
    const { person, origin } = await allowOrigin()
    const options = { token: person.token, ...(body === undefined ? {} : { body }) }
    const { status, reader } = await send(origin, method, path, options)
    expect([status === 401, reader]).toEqual([false, origin])
    expect((await ask(origin, path.split('?')[0] ?? '', method)).reader).toBe(origin)
    expect((await send(freshOrigin(), method, path, options)).reader).toBeNull()
  })

  test('is not readable by pages that only another account lists', async () => {
    const { origin } = await allowOrigin()
    const { person } = await allowOrigin()
    expect((await ask(origin, '/api/v1/jobs')).reader).toBe(origin)
    const { status, reader } = await send(origin, 'GET', '/api/v1/jobs', { token: person.token })
    expect([status, reader]).toEqual([200, null])
  })

  test('includes the events of a job', async () => {
    const { person, origin } = await allowOrigin()
    const path = `/api/v1/jobs/${await submit(testContext, person)}/events`
    const response = await open('GET', path, { token: person.token, headers: { origin } })
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  })

  test('is not opened to the page by a request without a credential', async () => {
    const { origin } = await allowOrigin()
    const { reader } = await send(origin, 'POST', '/api/v1/studio/run', { body: {} })
    expect(reader).toBeNull()
  })

  test('refused with 401 is readable by any listed page', async () => {
    const { origin } = await allowOrigin()
    for (const key of [undefined, 'mk_wrong']) {
      const options = key === undefined ? {} : { key }
      const listed = await send(origin, 'GET', '/api/v1/jobs', options)
      expect([listed.status, listed.reader]).toEqual([401, origin])
      expect((await send(freshOrigin(), 'GET', '/api/v1/jobs', options)).reader).toBeNull()
    }
  })

  test('is readable by our own pages without CORS', async () => {
    const { person } = await allowOrigin()
    const own = new URL(testContext.deps.env.PUBLIC_URL).origin
    const { status, reader } = await send(own, 'GET', '/api/v1/jobs', { token: person.token })
    expect([status, reader]).toEqual([200, null])
  })

  test('is closed again as soon as the origin is removed', async () => {
    const { person, origin } = await allowOrigin()
    const { token } = person
    expect((await send(origin, 'GET', '/api/v1/jobs', { token })).reader).toBe(origin)
    await call('PUT', '/api/v1/me/origins', { token, body: { origins: [] } })
    expect((await send(origin, 'GET', '/api/v1/jobs', { token })).reader).toBeNull()
    expect((await ask(origin, '/api/v1/jobs')).reader).toBeNull()
  })
})

describe('an upload link', () => {
  test('is readable by pages that its owner lists', async () => {
    const { person, origin } = await allowOrigin()
    const { origin: others } = await allowOrigin()
    const { path } = await makeLink(testContext, person)
    const shown = await send(origin, 'GET', path)
    expect([shown.status, shown.reader, varies(shown.headers)]).toEqual([200, origin, true])
    expect((await send(origin, 'POST', `${path}/presign`, { body: {} })).reader).toBe(origin)
    expect((await ask(origin, `${path}/presign`)).reader).toBe(origin)
    expect((await send(others, 'GET', path)).reader).toBeNull()
    expect((await send(freshOrigin(), 'GET', path)).reader).toBeNull()
  })

  test('that does not exist is refused readably for any listed page', async () => {
    const { origin } = await allowOrigin()
    const { status, reader } = await send(origin, 'GET', `/api/v1/upload-links/${'x'.repeat(43)}`)
    expect([status, reader]).toEqual([404, origin])
  })
})

describe('all other endpoints', () => {
  test.each([
    ['GET', '/api/v1/auth/me'],
    ['POST', '/api/v1/auth/login'],
    ['GET', '/api/v1/me/ping'],
    ['GET', '/api/v1/me/origins'],
    ['PUT', '/api/v1/me/origins'],
    ['GET', '/api/v1/tokens'],
    ['GET', '/api/v1/billing/balance'],
    ['GET', '/api/v1/billing/plans'],
    ['GET', '/api/v1/webhooks/endpoints'],
    ['GET', '/api/v1/upload-sessions'],
    ['GET', '/api/v1/stats/overview'],
    ['GET', '/api/v1/admin/settings'],
    ['GET', '/api/v1/jobsx'],
    ['GET', '/api/health'],
    ['GET', '/docs'],
    ['POST', '/internal/callbacks'],
  ])('never answer %s %s to a page of another origin', async (method, path) => {
    const { person, origin } = await allowOrigin()
    const { token } = person
    expect((await send(origin, method, path, { token })).reader).toBeNull()
    const preflight = await ask(origin, path, method)
    expect([preflight.status >= 400, preflight.reader]).toEqual([true, null])
  })
})

describe('a preflight', () => {
  test('allows credentials in headers, for two hours', async () => {
    const { origin } = await allowOrigin()
    const { status, headers, reader } = await ask(origin, '/api/v1/jobs')
    expect([status, reader, varies(headers)]).toEqual([204, origin, true])
    const allowed = headers.get('access-control-allow-headers')?.split(',') ?? []
    expect(allowed).toEqual(
      expect.arrayContaining([
        'Authorization',
        'X-Api-Key',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
      ]),
    )
    expect(headers.get('access-control-allow-methods')?.split(',')).toContain('POST')
    expect(headers.get('access-control-max-age')).toBe('7200')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['null', 'https://', 'file://', 'https://*.example.com', `https://${'x'.repeat(500)}.com`, '%'])(
    'from %s is not allowed',
    async (origin) => {
      const { status, reader } = await ask(origin, '/api/v1/jobs')
      expect([status, reader]).toEqual([204, null])
    },
  )

  test('is limited per address, apart from the limit of requests', async () => {
    const { call: limited } = await makeLimitedContext({ requests_per_minute_anonymous: 1 })
    const headers = {
      ...{ 'cf-connecting-ip': freshAddress(), origin: freshOrigin() },
      'access-control-request-method': 'POST',
    }
    const statuses = []
    for (let count = 0; count < 601; count++) {
      statuses.push((await limited('OPTIONS', '/api/v1/jobs', { headers })).status)
    }
    expect(new Set(statuses.slice(0, 600))).toEqual(new Set([204]))
    expect(statuses[600]).toBe(429)
    expect((await limited('GET', '/api/v1/public/feedback/token', { headers })).status).toBe(200)
  })
})
