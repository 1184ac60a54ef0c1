import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseEnvironment } from '../../environment.ts'
import { startWaits } from '../../runtime/waits.ts'
import { type Answer, refuse, sendFile, startMisbehavingServer } from '../../testing/misbehaving-server.ts'
import { importUrl } from './import-url.ts'

const CONTENT = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251))
const OTHER = Buffer.from(CONTENT.toReversed())
const STRONG = { etag: '"v1"' }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-import-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function start(...answers: Answer[]) {
  const server = await startMisbehavingServer(...answers)
  onTestFinished(() => server.close())
  const path = join(folder, crypto.randomUUID())
  const waits = startWaits()
  const load = async (variables: Record<string, string> = {}, headers?: Record<string, string>) => {
    const environment = parseEnvironment({
      ...{ EDGE_URL: 'https://media.example.com', FLEET_KEYS: 'YWFh', S3_ENDPOINT: server.url },
      ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', ALLOW_PRIVATE_SOURCES: 'true', ...variables },
    })
    const run = { folder, environment, signal: new AbortController().signal, waits }
    return importUrl(`${server.url}/file`, path, run, headers && { headers })
  }
  return { ...server, waits, load, read: () => readFile(path) }
}

test('names the product, its version and its address', async () => {
  const { load, requests } = await start(sendFile(CONTENT))
  await load()
  expect(requests[0]?.['user-agent']).toMatch(
    /^MediaCredits\/\d+\.\d+\.\d+ \(\+https:\/\/media\.example\.com\)$/,
  )
})

test.each([408, 425, 429, 500, 502, 503, 504, 522])(
  'asks again after %i, and does not charge the wait',
  async (status) => {
    const { load, read, requests, waits } = await start(
      refuse(status, { 'retry-after': '0' }),
      sendFile(CONTENT),
    )
    await load()
    expect((await read()).equals(CONTENT)).toBe(true)
    expect(requests).toHaveLength(2)
    expect(waits.seconds()).toBeGreaterThan(0.2)
  },
)

test('waits as long as the server asks', async () => {
  const { load, waits } = await start(refuse(503, { 'retry-after': '1' }), sendFile(CONTENT))
  await load()
  expect(waits.seconds()).toBeGreaterThan(0.95)
})

test.each([400, 401, 403, 404, 410])('does not ask again after %i', async (status) => {
  const { load, requests } = await start(refuse(status))
  await expect(load()).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringContaining(`status ${status}`),
  })
  expect(requests).toHaveLength(1)
})

test.each([
  ['it may not wait', '0', '0'],
  ['the server asks for a longer pause than it may wait', '30', '600'],
])('fails with the status of the server if %s', async (_why, IMPORT_WAIT_SECONDS_MAX, retry_after) => {
  const { load, requests } = await start(refuse(429, { 'retry-after': retry_after }), sendFile(CONTENT))
  await expect(load({ IMPORT_WAIT_SECONDS_MAX })).rejects.toMatchObject({
    message: expect.stringContaining('status 429'),
  })
  expect(requests).toHaveLength(1)
})

const RESUMABLE = [
  ['a strong entity tag', STRONG, '"v1"'],
  ['a date', { 'last-modified': 'Tue, 01 Apr 2025 10:00:00 GMT' }, 'Tue, 01 Apr 2025 10:00:00 GMT'],
] as const

test.each(RESUMABLE)('resumes a file with %s after a cut', async (_by, headers, validator) => {
  const { load, read, requests } = await start(sendFile(CONTENT, headers, 20_000), sendFile(CONTENT, headers))
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  const [, { range, 'if-range': condition } = {}] = requests
  expect(Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1])).toBeGreaterThan(0)
  expect(condition).toBe(validator)
})

test('goes on as long as each try brings a part of the file', async () => {
  const { load, read, requests } = await start(sendFile(CONTENT, STRONG, 12_000))
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  expect(requests.length).toBeGreaterThan(3)
})

test.each([
  ['a weak entity tag', { etag: 'W/"v1"' }],
  ['nothing to compare', {}],
])('starts over if the file has %s', async (_by, headers) => {
  const { load, read, requests } = await start(sendFile(OTHER, headers, 20_000), sendFile(CONTENT, headers))
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  expect(requests[1]?.range).toBeUndefined()
})

const whole: Answer = (response) => response.writeHead(200, { etag: '"v2"' }).end(CONTENT)
const other_part = sendFile(Buffer.concat([CONTENT, CONTENT]), { etag: '"v2"' })
const no_such_range = refuse(416, { 'content-range': `bytes */${CONTENT.length}` })

test.each([
  ['has changed', [whole]],
  ['has changed, but the server ignores the condition', [other_part, sendFile(CONTENT)]],
  ['has become shorter', [no_such_range, sendFile(CONTENT)]],
])('starts over if the file %s', async (_why, answers) => {
  const { load, read, requests } = await start(sendFile(OTHER, STRONG, 20_000), ...answers)
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  expect(requests[1]?.range).toBeDefined()
  expect(requests).toHaveLength(1 + answers.length)
})

test('limits the size over all tries', async () => {
  const part = (start: number): Answer => {
    return (response) => {
      const content_range = `bytes ${start}-${CONTENT.length - 1}/*`
      response.writeHead(start === 0 ? 200 : 206, {
        ...STRONG,
        ...(start > 0 && { 'content-range': content_range }),
      })
      response.write(CONTENT.subarray(start, start + 20_000), () => response.destroy())
    }
  }
  const { load } = await start(part(0), part(20_000))
  await expect(load({ INPUT_BYTES_MAX: '39999' })).rejects.toMatchObject({ error_code: 'input_too_large' })
})

test('sends headers of the caller to the origin of the URL, also when it resumes', async () => {
  const { load, requests } = await start(sendFile(CONTENT, STRONG, 20_000), sendFile(CONTENT, STRONG))
  await load({}, { authorization: 'Bearer secret', 'user-agent': 'mine/1' })
  expect(requests).toHaveLength(2)
  for (const request of requests) {
    expect(request).toMatchObject({ authorization: 'Bearer secret', 'user-agent': 'mine/1' })
  }
})

test('drops headers of the caller on a redirect to another origin, and does not send them again', async () => {
  const { load, requests, url } = await start(
    (response) => response.writeHead(302, { location: '/here' }).end(),
    (response) => response.writeHead(302, { location: other.url }).end(),
    sendFile(CONTENT),
  )
  const other = await start((response) => response.writeHead(302, { location: `${url}/back` }).end())
  await load(
    {},
    { authorization: 'Bearer secret', cookie: 'id=1', 'user-agent': 'mine/1', 'x-token': 'secret' },
  )
  expect(requests.map(({ authorization }) => authorization)).toEqual([
    'Bearer secret',
    'Bearer secret',
    undefined,
  ])
  for (const request of [...other.requests, requests[2]]) {
    expect(JSON.stringify(request)).not.toMatch(/secret|id=1|mine/)
    expect(request?.['user-agent']).toMatch(/^MediaCredits/)
  }
})

const CODED = [
  ['gzip', zlib.gzipSync(CONTENT)],
  ['x-gzip', zlib.gzipSync(CONTENT)],
  ['GZIP', zlib.gzipSync(CONTENT)],
  ['deflate', zlib.deflateSync(CONTENT)],
  ['deflate', zlib.deflateRawSync(CONTENT)],
  ['br', zlib.brotliCompressSync(CONTENT)],
  ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(CONTENT))],
  ['identity', CONTENT],
  ...('zstdCompressSync' in zlib ? [['zstd', zlib.zstdCompressSync(CONTENT)] as const] : []),
] as const

test.each(CODED)('decodes %s', async (coding, bytes) => {
  const { load, read } = await start(sendFile(bytes, { 'content-encoding': coding }))
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  expect((await readdir(folder)).filter((name) => name.endsWith('.coded'))).toEqual([])
})

test('resumes a coded file', async () => {
  const headers = { ...STRONG, 'content-encoding': 'gzip' }
  const bytes = zlib.gzipSync(CONTENT, { level: 0 })
  const { load, read, requests } = await start(sendFile(bytes, headers, 20_000), sendFile(bytes, headers))
  await load()
  expect((await read()).equals(CONTENT)).toBe(true)
  expect(requests[1]?.range).toBeDefined()
})

test.each([
  ['compress', CONTENT, 'unsupported Content-Encoding (compress)'],
  ['gzip, gzip, gzip', CONTENT, 'unsupported Content-Encoding'],
  ['evil "quotes"', CONTENT, 'unsupported Content-Encoding (?)'],
  ['gzip', CONTENT, 'does not match the Content-Encoding of the server (gzip)'],
  ['gzip', zlib.gzipSync(CONTENT).subarray(0, 100), 'does not match the Content-Encoding'],
  ['br', CONTENT, 'does not match the Content-Encoding of the server (br)'],
])('refuses content with the coding %s with the reason', async (coding, bytes, reason) => {
  const { load } = await start(sendFile(bytes, { 'content-encoding': coding }))
  await expect(load()).rejects.toMatchObject({
    error_code: 'download_failed',
    message: expect.stringContaining(reason),
  })
})

test.each([
  ['gzip', zlib.gzipSync(Buffer.alloc(10_000_000))],
  ['br', zlib.brotliCompressSync(Buffer.alloc(10_000_000))],
])('stops a bomb of %s at the limit', async (coding, bytes) => {
  const { load, read } = await start(sendFile(bytes, { 'content-encoding': coding }))
  await expect(load({ INPUT_BYTES_MAX: '1000000' })).rejects.toMatchObject({ error_code: 'input_too_large' })
  expect((await read()).length).toBeLessThanOrEqual(1_000_000)
})

test('returns the name that the server gives the file', async () => {
  const disposition = "attachment; filename=x.png; filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE%20%281%29.png"
  const { load } = await start(sendFile(CONTENT, { 'content-disposition': disposition }))
  expect(await load()).toEqual({ filename: 'фото (1).png' })
})
