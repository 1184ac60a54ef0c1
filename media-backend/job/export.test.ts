import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { isSigned } from '../../shared/protocol/signature.ts'
import type { StorageAccess, StorageAccessRequest } from '../../shared/protocol/storage-access.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'

const KEYS = [Buffer.from('the-first-key-of-the-export-test').toString('base64')]

/** The customer's storage, and an edge that grants access to it. */
let origin: string
let answers: ((request: IncomingMessage, response: ServerResponse) => void)[]
let received: { path: string; headers: IncomingMessage['headers']; body: Buffer }[]
let asked: StorageAccessRequest[]
let access: (request: StorageAccessRequest) => StorageAccess
let image: Buffer

const accept = (_request: IncomingMessage, response: ServerResponse) => response.writeHead(200).end()
const respond = (status: number, body = '', headers = {}) =>
  ((_request, response) => response.writeHead(status, headers).end(body)) as (typeof answers)[number]

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const signed = { to: 'edge', method: 'POST', path: '/internal/storage-access' } as const
  if (request.url === signed.path) {
    if (!isSigned(KEYS, signed, request.headers as Record<string, string>, body.toString())) {
      return response.writeHead(401).end()
    }
    const question = JSON.parse(body.toString()) as StorageAccessRequest
    asked.push(question)
    return response.end(JSON.stringify(access(question)))
  }
  if (request.url?.startsWith('/moved')) return response.writeHead(307, { location: '/in.png' }).end()
  if (request.method === 'GET') return response.end(image)
  received.push({ path: request.url ?? '', headers: request.headers, body })
  const answer = answers.shift() ?? accept
  return answer(request, response)
})

let open: JobRunner
let guarded: JobRunner
let hurried: JobRunner

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const variables = { EDGE_URL: origin, FLEET_KEYS: KEYS.join(',') }
  open = await startJobRunner({ ...variables, ALLOW_PRIVATE_SOURCES: 'true' })
  guarded = await startJobRunner(variables)
  hurried = await startJobRunner({ ...variables, ALLOW_PRIVATE_SOURCES: 'true', EXPORT_SECONDS_MAX: '2' })
  image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()
})

afterAll(async () => {
  await open.close()
  await guarded.close()
  await hurried.close()
  server.close()
  server.closeAllConnections()
})

beforeEach(() => {
  answers = []
  received = []
  asked = []
  access = (request) => {
    const name = request.type === 'write' ? `out/${request.filename}` : 'in.png'
    const headers: Record<string, string> =
      request.type === 'write' ? { 'content-type': request.content_type } : {}
    return {
      outcome: 'granted',
      url: `${origin}/${name}?signed`,
      headers,
      address: `storage://archive/${name}`,
    }
  }
})

const spec = (more: Partial<Dispatch> = {}): Partial<Dispatch> => ({
  service_slug: 'image',
  operation_key: 'resize',
  params: { width: 20 },
  filename: 'photo.png',
  exports: true,
  ...more,
})

test('writes the result with its type and length, and reports where it is', async () => {
  const { outcome, content } = await open.run(spec(), { input: image })
  expect(
    received.map(({ path, headers, body }) => [path, headers['content-type'], body.equals(content)]),
  ).toEqual([['/out/photo-resize.png?signed', 'image/png', true]])
  expect(received[0]?.headers['content-length']).toBe(String(content.length))
  expect(asked).toMatchObject([
    { type: 'write', fence: 1, filename: 'photo-resize.png', size_bytes: content.length, file_count: 1 },
  ])
  expect(outcome.files).toMatchObject([{ exported_to: 'storage://archive/out/photo-resize.png' }])
})

test('reads an input from the storage of the customer', async () => {
  const { outcome } = await open.run(
    spec({ exports: false, source: { kind: 'storage', address: 'storage://archive/in.png' } }),
  )
  expect(asked).toMatchObject([{ type: 'read', address: 'storage://archive/in.png' }])
  expect(outcome.body).toMatchObject({ width: 20, height: 15 })
})

test('does not follow redirects of the storage of the customer', async () => {
  access = () => ({
    outcome: 'granted',
    url: `${origin}/moved`,
    headers: {},
    address: 'storage://archive/in.png',
  })
  const source = { kind: 'storage' as const, address: 'storage://archive/in.png' }
  expect(await open.fail(spec({ exports: false, source }))).toContain('redirects to another address')
})

test('counts the time of the export as processing time', async () => {
  answers = [(_request, response) => setTimeout(() => response.writeHead(200).end(), 1500)]
  const { outcome } = await open.run(spec(), { input: image })
  expect(outcome.processing_seconds).toBeGreaterThanOrEqual(1.4)
})

test('has one time limit for all attempts', async () => {
  const trickle: (typeof answers)[number] = (_request, response) => {
    response.writeHead(200)
    const trickling = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(trickling))
  }
  answers = [respond(503), trickle]
  expect(await hurried.fail(spec(), { input: image })).toContain('the upload took too long')
  expect(received).toHaveLength(2)
})

test('retries after a failure that may pass, with a new signature', async () => {
  answers = [respond(503, '<Error><Code>SlowDown</Code></Error>')]
  await open.run(spec(), { input: image })
  expect([received.length, asked.length]).toEqual([2, 2])
})

test.each([
  ['403', respond(403, '<Error><Code>AccessDenied</Code></Error>'), 'status 403 (AccessDenied)'],
  ['404', respond(404, '<Error><Code>NoSuchBucket</Code></Error>'), 'status 404 (NoSuchBucket)'],
  ['400 without a code', respond(400, '<Code>no code</Code>'), 'status 400.'],
  ['a redirect', respond(307, '', { location: '/elsewhere' }), 'redirects to another address'],
])('fails at once after %s, and keeps no result', async (_what, answer, reason) => {
  const kept = [...open.server.objects.keys()].filter((key) => key.startsWith('results/'))
  answers = [answer]
  const error = await open.fail(spec(), { input: image })
  expect(error).toContain(`storage://archive/out/photo-resize.png: `)
  expect(error).toContain(reason)
  expect(error).not.toContain('signed')
  expect(received).toHaveLength(1)
  expect([...open.server.objects.keys()].filter((key) => key.startsWith('results/'))).toEqual(kept)
})

test('knows why the storage refused a file that it did not want to read', async () => {
  const refusing = createServer()
  refusing.on('checkContinue', (_request, response) =>
    response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>'),
  )
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/x`
  access = () => ({ outcome: 'granted', url, headers: {}, address: 'storage://archive/x' })
  expect(await open.fail(spec(), { input: image })).toContain('status 403 (SignatureDoesNotMatch)')
  refusing.close()
  refusing.closeAllConnections()
})

test('sends nothing to a private address, neither for an export nor for an import', async () => {
  expect(await guarded.fail(spec(), { input: image })).toContain('does not lead to a public address')
  const source = { kind: 'storage' as const, address: 'storage://archive/in.png' }
  expect(await guarded.fail(spec({ source }))).toContain('does not lead to a public address')
  expect(received).toEqual([])
})

test('fails with the reason of the edge when access is refused', async () => {
  access = () => ({ outcome: 'refused', fault: 'unknown_connection', address: 'storage://archive/x' })
  expect(await open.fail(spec(), { input: image })).toContain(
    'storage://archive/x: the storage connection does not exist',
  )
  expect(received).toEqual([])
})

test('fails as an export when an older edge refuses access with a sentence', async () => {
  access = () => ({ outcome: 'refused', reason: 'Storage connection archive does not exist.' }) as never
  expect(await open.fail(spec(), { input: image })).toContain('access to the storage was refused')
})

test('stops without a result when the job is over', async () => {
  access = () => ({ outcome: 'over' })
  await expect(open.run(spec(), { input: image })).rejects.toMatchObject({ why: 'superseded' })
})
