import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SOURCE } from '../../shared/operations/steps.ts'
import { parseEnvironment } from '../environment.ts'
import type { Run } from '../job.ts'
import { createStorage } from '../storage.ts'
import { downloadFile } from './download.ts'

let server: Server
let base: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-download-'))
  server = createServer((request, response) => {
    if (request.url === '/file') return response.end('x'.repeat(5000))
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
    if (request.url === '/moved') return response.writeHead(301, { location: '/file' }).end()
    if (request.url === '/scheme') return response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

function fetchSource(
  url: string,
  more: Record<string, string> = { ALLOW_PRIVATE_SOURCES: 'true' },
): Promise<void> {
  const variables = {
    EDGE_URL: base,
    FLEET_KEYS: 'YWFh',
    S3_ENDPOINT: base,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  const environment = parseEnvironment({ ...variables, ...more })
  const run: Run = { folder, environment, signal: new AbortController().signal }
  return downloadFile({ kind: 'url', url }, SOURCE, run, createStorage(environment))
}

test('an address is fetched, also behind a redirect', async () => {
  await fetchSource(`${base}/moved`)
  expect(await readFile(join(folder, 'source'), 'utf8')).toHaveLength(5000)
})

test.each([
  ['/nothing', /status 404/],
  ['/loop', /redirects too often/],
  ['/scheme', /only http and https/],
])('%s is refused with its reason', async (path, reason) => {
  await expect(fetchSource(`${base}${path}`)).rejects.toMatchObject({
    error_code: 'download_failed',
    message: reason,
  })
})

test('a file over the limit is refused', async () => {
  const limited = { ALLOW_PRIVATE_SOURCES: 'true', INPUT_BYTES_MAX: '4999' }
  await expect(fetchSource(`${base}/file`, limited)).rejects.toMatchObject({ error_code: 'input_too_large' })
})

test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
  'the host %s is refused while the guard stands',
  async (host) => {
    const url = base.replace('127.0.0.1', host)
    await expect(fetchSource(`${url}/file`, {})).rejects.toMatchObject({ error_code: 'download_failed' })
  },
)
