import type { LookupAddress, lookup } from 'node:dns'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SOURCE } from '../../shared/planning/steps.ts'
import { parseEnvironment } from '../environment.ts'
import { createAddressGuard } from '../runtime/address-guard.ts'
import { requirePace, TooSlow } from '../runtime/download-limits.ts'
import type { Run } from '../runtime/run.ts'
import { downloadFile } from './download.ts'
import { importUrl } from './import/import-url.ts'
import { createStorage } from './storage.ts'

let server: Server
let base: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-download-'))
  server = createServer((request, response) => {
    const answer = ANSWERS[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/file': (response) => response.end('x'.repeat(5000)),
  '/unmeasured': (response) => response.write('x'.repeat(2000), () => response.end('x'.repeat(3000))),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/moved': (response) => response.writeHead(301, { location: '/file' }).end(),
  '/scheme': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/announced': (response) => response.writeHead(200, { 'content-length': 1e15 }).write('x'),
  '/cut': truncated,
  '/drip-body': (response) => drip(response.writeHead(200), () => response.write('x')),
  '/drip-head': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nX-Header: ')
    drip(response, () => response.socket?.write('x'))
  },
}

/** Sends single bytes endlessly, so the connection is never idle. */
function drip(response: ServerResponse, send: () => void): void {
  const dripping = setInterval(send, 20)
  response.on('close', () => clearInterval(dripping))
}

function truncated(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy())
}

function runOf(more: Record<string, string>): Run {
  const variables = { EDGE_URL: base, FLEET_KEYS: 'YWFh', S3_ENDPOINT: base }
  const secrets = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const environment = parseEnvironment({ ...variables, ...secrets, ...more })
  return { folder, environment, signal: new AbortController().signal }
}

const OPEN = { ALLOW_PRIVATE_SOURCES: 'true', IMPORT_WAIT_SECONDS_MAX: '0' }

function fetchSource(url: string, more: Record<string, string> = OPEN) {
  const run = runOf(more)
  return downloadFile({ kind: 'url', url }, SOURCE, run, createStorage(run.environment))
}

test('downloads a URL, including redirects', async () => {
  await fetchSource(`${base}/moved`)
  expect(await readFile(join(folder, 'source'), 'utf8')).toHaveLength(5000)
})

test.each([
  ['/file', 5000],
  ['/unmeasured', null],
])('reports the received bytes of %s, with the total if declared', async (path, total_bytes) => {
  const reported: [number, number | null][] = []
  const reportBytes = (...bytes: [number, number | null]) => reported.push(bytes)
  await importUrl(`${base}${path}`, join(folder, 'reported'), runOf(OPEN), { reportBytes })
  expect(reported.at(-1)).toEqual([5000, total_bytes])
})

test.each([
  ['/nothing', /status 404/],
  ['/loop', /too many redirects/],
  ['/nowhere', /status 302/],
  ['/scheme', /only http and https/],
  ['/cut', /closed the connection early/],
])('refuses %s with the reason', async (path, reason) => {
  await expect(fetchSource(`${base}${path}`)).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringMatching(reason),
  })
})

test.each(['/file', '/announced'])('refuses %s over the size limit', async (path) => {
  const limited = { ...OPEN, INPUT_BYTES_MAX: '4999' }
  await expect(fetchSource(`${base}${path}`, limited)).rejects.toMatchObject({
    error_code: 'input_too_large',
  })
})

test.each(['/drip-head', '/drip-body'])('stops %s at the time limit of imports', async (path) => {
  const limited = { ...OPEN, IMPORT_SECONDS_MAX: '1' }
  await expect(fetchSource(`${base}${path}`, limited)).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringMatching(/took too long/),
  })
})

test('stops a transfer below the minimum rate, but not one above it', async () => {
  async function* send(bytes: number) {
    for (let sent = 0; sent < 20; sent += 1) {
      await pause(10)
      yield Buffer.alloc(bytes)
    }
  }
  const sink = () => new Writable({ write: (_chunk, _encoding, callback) => callback() })
  await expect(pipeline(send(1), requirePace(10_000, 0.05), sink())).rejects.toThrow(TooSlow)
  await expect(pipeline(send(100_000), requirePace(10_000, 0.05), sink())).resolves.toBeUndefined()
})

test.each([
  ...['127.0.0.1', 'localhost', 'localhost.', '[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '2130706433'],
  ...['0x7f.1', '0177.0.0.1', '0', '10.0.0.1', '169.254.169.254', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ...['[fe80::1]', '[fd00::1]', '224.0.0.1', '192.0.2.1', '100.64.0.1', 'user@127.0.0.1'],
])('refuses the host %s while the guard against private addresses is active', async (host) => {
  const url = base.replace('127.0.0.1', host)
  await expect(fetchSource(`${url}/file`, {})).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringMatching(/not lead to a public address/),
  })
})

/** Simulates DNS rebinding: 127.0.0.2 counts as public and 127.0.0.1 as private. */
async function startRebinding(answers: string[]) {
  const lookups: string[] = []
  const connections: string[] = []
  const open = createServer((request, response) => {
    connections.push(request.socket.localAddress ?? '')
    if (request.url === '/again') return response.writeHead(302, { location: '/file' }).end()
    return response.end('open')
  })
  // Listens on all loopback addresses, so a connection to the private one is detected.
  await new Promise<void>((resolve) => {
    open.listen(0, '0.0.0.0', resolve)
  })
  onTestFinished(() => {
    open.close()
    open.closeAllConnections()
  })
  const resolve = ((hostname: string, _options: unknown, callback: ResolveCallback) => {
    lookups.push(hostname)
    const answer = answers.shift() ?? '127.0.0.1'
    callback(
      null,
      answer.split(' ').map((address) => ({ address, family: 4 })),
    )
  }) as unknown as typeof lookup
  const guard = createAddressGuard({
    resolve,
    isAllowedIp: (ip) => ip === '127.0.0.2',
    allowsUrl: () => true,
  })
  const url = `http://rebinding.example.net:${(open.address() as AddressInfo).port}`
  return { lookups, connections, guard, url }
}
type ResolveCallback = (error: null, addresses: LookupAddress[]) => void

test('connects to the address that was checked, whatever DNS returns later', async () => {
  const { lookups, connections, guard, url } = await startRebinding(['127.0.0.2', '127.0.0.1'])
  await importUrl(`${url}/file`, join(folder, 'pinned'), runOf(OPEN), { guard })
  expect(await readFile(join(folder, 'pinned'), 'utf8')).toBe('open')
  expect(lookups).toHaveLength(1)
  expect(connections).toEqual(['127.0.0.2'])
})

test.each([
  ['immediately', ['127.0.0.1'], []],
  ['among public addresses', ['127.0.0.2 127.0.0.1'], []],
  ['after a redirect', ['127.0.0.2', '127.0.0.1'], ['127.0.0.2']],
])('refuses a name that resolves to a private address %s', async (_when, answers, reached) => {
  const { connections, guard, url } = await startRebinding(answers)
  await expect(
    importUrl(`${url}/again`, join(folder, 'inside'), runOf(OPEN), { guard }),
  ).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringMatching(/not lead to a public address/),
  })
  expect(connections).toEqual(reached)
})
