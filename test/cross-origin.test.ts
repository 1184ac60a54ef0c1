import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openAccount } from './support/accounts.ts'
import { useChromium } from './support/chromium.ts'
import { createKey } from './support/credentials.ts'

const system = inject('system')
const browser = useChromium()
const SCRIPT = join(import.meta.dirname, 'browser/cross-origin-page.ts')

let site: Server
/** Both origins differ from that of the API. Only the first one is on the account's list. */
let allowed: string
let other: string
let key: string

beforeAll(async () => {
  const { outputFiles } = await build({ entryPoints: [SCRIPT], bundle: true, format: 'iife', write: false })
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>An app</title><script>${outputFiles[0]?.text ?? ''}</script>`)
  })
  await new Promise<void>((resolve) => site.listen(0, resolve))
  const { port } = site.address() as AddressInfo
  allowed = `http://localhost:${port}`
  other = `http://127.0.0.1:${port}`
  const account = await openAccount(system.api_url)
  const listed = await account.client.send('PUT', '/api/v1/me/origins', { origins: [allowed] })
  expect(listed.status).toBe(200)
  key = (await createKey(account)).plaintext
})

afterAll(() => new Promise((resolve) => site.close(resolve)))

/** Opens a page of an origin in a browser that holds a cookie of the API, and collects the cookies it sends. */
async function openPageOf(origin: string): Promise<{ page: Page; cookies: () => Promise<string[]> }> {
  const context = await browser().newContext()
  onTestFinished(() => context.close())
  await context.addCookies([{ name: 'probe', value: 'secret', url: system.api_url }])
  const page = await context.newPage()
  const sent: Promise<string>[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(system.api_url)) return
    sent.push(request.allHeaders().then(({ cookie }) => cookie ?? ''))
  })
  await page.goto(origin)
  return { page, cookies: () => Promise.all(sent) }
}

const run = (page: Page, method: string, ...args: unknown[]) =>
  page.evaluate(`calls.${method}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`)

const read = (page: Page, path: string, init: RequestInit = {}) =>
  run(page, 'tryFetch', system.api_url + path, init)

const withKey = () => ({ headers: { authorization: `Bearer ${key}` } })

test('a page of an allowed origin uploads a file, runs a job and reads the result', async () => {
  const { page, cookies } = await openPageOf(allowed)
  expect(await run(page, 'processImage', system.api_url, key)).toEqual({
    statuses: [201, 201, 200, 206],
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    job_status: 'done',
    is_end_streamed: true,
    part_bytes: 4,
  })
  const sent = await cookies()
  expect(sent.length).toBeGreaterThanOrEqual(5)
  expect(new Set(sent)).toEqual(new Set(['']))
})

test('a page of another origin reads public data only', async () => {
  const { page, cookies } = await openPageOf(other)
  expect(await read(page, '/api/v1/studio/tools')).toBe(200)
  expect(await read(page, '/api/v1/jobs', withKey())).toBe('TypeError')
  expect(await read(page, '/api/v1/jobs/api', { ...withKey(), method: 'POST', body: '{}' })).toBe('TypeError')
  expect(await read(page, '/api/v1/me/ping', withKey())).toBe('TypeError')
  expect(new Set(await cookies())).toEqual(new Set(['']))
})

test('a page of an allowed origin can neither send cookies nor read the account', async () => {
  const { page } = await openPageOf(allowed)
  expect(await read(page, '/api/v1/jobs', withKey())).toBe(200)
  expect(await read(page, '/api/v1/jobs', { ...withKey(), credentials: 'include' })).toBe('TypeError')
  expect(await read(page, '/api/v1/me/ping', withKey())).toBe('TypeError')
  expect(await read(page, '/api/v1/billing/balance', withKey())).toBe('TypeError')
})
