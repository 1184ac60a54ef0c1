/** @module-tag extended */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { startThrottledProxy } from '../media-backend/testing/throttled-proxy.ts'
import type { PageState } from './browser/upload-page.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { useChromium } from './support/chromium.ts'
import { makeClip } from './support/clips.ts'
import { createKey } from './support/credentials.ts'
import { startCustomerSite } from './support/customer-site.ts'
import { makeTestFolder } from './support/folder.ts'
import { runToResult } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const MEBIBYTE = 1024 ** 2
/** Exceeds a Worker's request size limit and needs more than ten parts, whose numbers sort differently as text. */
const FILM_BYTES = 100 * MEBIBYTE
const browser = useChromium()

/** Creates a clip that is padded to 100 MiB with a `free` box. Every MiB is different. */
async function makeFilm(): Promise<string> {
  const film = await makeClip(folder, { name: 'film.mp4', seconds: 2 })
  const { size } = await stat(film)
  const file = await open(film, 'a')
  try {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(FILM_BYTES - size, 0)
    head.write('free', 4)
    await file.write(head)
    for (let left = FILM_BYTES - size - head.length; left > 0; left -= MEBIBYTE) {
      await file.write(
        Buffer.alloc(Math.min(left, MEBIBYTE), createHash('sha256').update(`${left}`).digest()),
      )
    }
  } finally {
    await file.close()
  }
  return film
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

const PAGE = join(import.meta.dirname, 'browser/upload-page.ts')

/** Opens a page of another origin that uploads with Uppy. Its storage requests pass through `route`. */
async function openUploadPage(
  account: Account,
  options: { route?: (url: string) => string; token?: string | null } = {},
): Promise<Page> {
  const { plaintext: key } = await createKey(account)
  const site = await startCustomerSite(PAGE, { api_url: system.api_url, key, ...options })
  onTestFinished(site.close)
  if (options.token) await allowOrigin(account, site.url)
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  await page.goto(site.url)
  return page
}

/** Allows an origin, and waits until the API accepts requests from its pages. */
async function allowOrigin({ client }: Account, origin: string): Promise<void> {
  expect((await client.send('PUT', '/api/v1/me/origins', { origins: [origin] })).status).toBe(200)
  const isAllowed = async () => {
    const response = await client.send('GET', '/api/v1/jobs', undefined, { origin })
    return response.headers.get('access-control-allow-origin') === origin
  }
  await expect.poll(isAllowed, { interval: 200 }).toBe(true)
}

async function sendFile(page: Page, path: string): Promise<void> {
  await page.locator('input').setInputFiles(path)
  await page.evaluate('page.send()')
}

const stateOf = (page: Page) => page.evaluate('page') as Promise<PageState>
const waitFor = (page: Page, condition: string) =>
  page.waitForFunction(`${condition} || page.error !== null`, undefined, { timeout: 120_000 })

/** Waits until the page has uploaded the file, and compares its bytes in storage. */
async function expectUploaded(page: Page, { client }: Account, path: string): Promise<string> {
  await waitFor(page, 'page.file_url !== null')
  const { file_url, error } = await stateOf(page)
  expect(error).toBeNull()
  const response = await client.download(file_url ?? '')
  expect(response.headers.get('content-length')).toBe(String(FILM_BYTES))
  const [stored, sent] = await Promise.all([
    hashOf(response.body as unknown as AsyncIterable<Uint8Array>),
    hashOf(createReadStream(path)),
  ])
  expect(stored).toBe(sent)
  return file_url ?? ''
}

test('a page of another origin is paused and reloaded, and resumes its upload without a part again', async () => {
  const film = await makeFilm()
  const account = await openAccount(system.api_url)
  const page = await openUploadPage(account, { token: account.client.token })
  await page.evaluate('page.pauseAfter(7)')
  await sendFile(page, film)
  await waitFor(page, 'page.parts.length >= 7')
  const paused = await stateOf(page)
  expect([paused.error, paused.file_url]).toEqual([null, null])
  await page.reload()
  await waitFor(page, 'page.is_restored')
  await sendFile(page, film)
  const file_url = await expectUploaded(page, account, film)
  const { parts } = await stateOf(page)
  expect([...paused.parts, ...parts]).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  const thumbnail = await runToResult(account.client, 'video/thumbnail', file_url, { format: 'png' })
  expect(thumbnail.result).toMatchObject({ content_type: 'image/png', body: { width: 320, height: 180 } })
})

test('a page whose connection is cut in the middle of a part sends only that part again', async () => {
  const film = await makeFilm()
  const account = await openAccount(system.api_url)
  const { origin, host } = new URL(system.storage.client_url)
  const network = await startThrottledProxy(() => origin, host)
  onTestFinished(network.close)
  const page = await openUploadPage(account, { route: (url) => url.replace(origin, network.url) })
  const before_cut = 12 * MEBIBYTE
  network.open(before_cut)
  await sendFile(page, film)
  await vi.waitUntil(() => network.passed_bytes === before_cut, { timeout: 60_000 })
  network.cut()
  network.open(Number.POSITIVE_INFINITY)
  await expectUploaded(page, account, film)
  expect((await stateOf(page)).parts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  // At least two MiB of the third part were sent twice, and no other part.
  expect(network.passed_bytes).toBeGreaterThanOrEqual(FILM_BYTES + 2 * MEBIBYTE)
  expect(network.passed_bytes).toBeLessThan(FILM_BYTES + 5 * MEBIBYTE)
})

test('a page sends a recording, whose type names its codecs', async () => {
  const account = await openAccount(system.api_url)
  const page = await openUploadPage(account)
  await page.locator('input').setInputFiles(await makeClip(folder, { name: 'recording.mp4', seconds: 1 }))
  await page.evaluate(`page.send('video/mp4;codecs=avc1.42E01E,mp4a.40.2')`)
  await waitFor(page, 'page.file_url !== null')
  const { file_url, error } = await stateOf(page)
  expect(error).toBeNull()
  const { headers, body } = await account.client.download(file_url ?? '')
  await body?.cancel()
  expect(headers.get('content-type')).toBe('video/mp4')
})

test('storage accepts only a part of the signed length', async () => {
  const { client } = await openAccount(system.api_url)
  const send = async (path: string, body: object) =>
    (await client.send('POST', `/api/v1/uploads/multipart/${path}`, body)).json() as Promise<
      Record<string, string>
    >
  const file = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 6 * MEBIBYTE }
  const { upload_id, key } = await send('create', file)
  const { put_url = '' } = await send('sign-part', { upload_id, key, part_number: 2 })
  const isAccepted = async (bytes: number) => {
    const put = fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })
    const response = await put.catch(() => null)
    await response?.body?.cancel()
    return response?.ok ?? false
  }
  // The local storage refuses with a 403. If it stops reading mid-body, it responds with a 500 or closes the
  // connection.
  expect([
    await isAccepted(MEBIBYTE - 1),
    await isAccepted(MEBIBYTE + 1),
    await isAccepted(MEBIBYTE),
  ]).toEqual([false, false, true])
})
