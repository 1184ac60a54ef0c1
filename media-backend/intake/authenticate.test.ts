import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { signRequest } from '../../shared/protocol/signature.ts'
import { limitBodies, requirePeer, requireSignature } from './authenticate.ts'

const KEYS = [Buffer.from('a key of the fleet, thirty-two..').toString('base64')]
const BYTES_MAX = 1000

let server: Server
let port: number

beforeAll(async () => {
  const app = new Hono()
  app.use(requirePeer(KEYS), limitBodies(BYTES_MAX, 1.5 * BYTES_MAX), requireSignature(KEYS))
  app.get('/ready', (context) => context.text('ready'))
  app.post('/jobs', async (context) => context.json({ length: (await context.req.text()).length }))
  server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const JOBS = { to: 'fleet', method: 'POST', path: '/jobs' } as const

function signed(body: string, request: Parameters<typeof signRequest>[1] = JOBS) {
  return { ...signRequest(KEYS, request, { id: 'request', body }) }
}

/** Sends the beginning of a request, and returns its socket. */
function begin(headers: Record<string, string>, length: number, beginning: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /jobs HTTP/1.1\r\nHost: fleet\r\nContent-Length: ${length}\r\n${lines.join('')}\r\n`)
  socket.write(beginning)
  return socket
}

async function answerOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data')
  return String(answer)
}

test('refuses an unfinished body without valid headers at once, and reads no more of it', async () => {
  const length = 16 * 1024 * 1024
  const expired = signRequest(KEYS, JOBS, { id: 'request', body: '', now: new Date(Date.now() - 301_000) })
  const forged = { ...signed(''), 'webhook-sender': signed('')['webhook-signature'] }
  for (const headers of [{}, { ...expired }, forged, { ...signed(''), 'webhook-timestamp': 'now' }]) {
    const accepted = once(server, 'connection')
    const socket = begin(headers, length, Buffer.alloc(length - 1))
    const [connection] = (await accepted) as [Socket]
    expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 401 [\s\S]*connection: close/i)
    if (!connection.destroyed) await once(connection, 'close')
    expect(connection.bytesRead).toBeLessThan(1024 * 1024)
  }
})

test.each([
  { ...JOBS, path: '/drain' },
  { ...JOBS, method: 'GET' },
  { ...JOBS, to: 'edge' as const },
])('refuses a request that was signed as $method $path to the $to', async (request) => {
  expect(await answerOf(begin(signed('{}', request), 2, '{}'))).toMatch(/^HTTP\/1.1 401 /)
})

test('refuses a body that was not signed, and one that is too long', async () => {
  expect(await answerOf(begin(signed('{}'), 2, '[]'))).toMatch(/^HTTP\/1.1 401 /)
  const long = ' '.repeat(BYTES_MAX + 1)
  expect(await answerOf(begin(signed(long), long.length, long))).toMatch(/^HTTP\/1.1 413 /)
})

test('refuses bodies that do not fit into memory beside an unfinished one, until it ends', async () => {
  const body = ' '.repeat(BYTES_MAX)
  const first = begin(signed(body), BYTES_MAX, body.slice(1))
  await once(server, 'request')
  expect(await answerOf(begin(signed(body), BYTES_MAX, body))).toMatch(
    /^HTTP\/1.1 503 [\s\S]*retry-after: 1/i,
  )
  const READY = { to: 'fleet', method: 'GET', path: '/ready' } as const
  const ready = await fetch(`http://127.0.0.1:${port}/ready`, { headers: signed('', READY) })
  expect(ready.status).toBe(200)
  first.write(' ')
  expect(await answerOf(first)).toMatch(/^HTTP\/1.1 200 [\s\S]*"length":1000/)
  expect(await answerOf(begin(signed(body), BYTES_MAX, body))).toMatch(/^HTTP\/1.1 200 /)
  const aborted = begin(signed(body), BYTES_MAX, '')
  await once(server, 'request')
  aborted.destroy()
  await expect
    .poll(async () => answerOf(begin(signed(body), BYTES_MAX, body)), { timeout: 5000 })
    .toMatch(/^HTTP\/1.1 200 /)
})
