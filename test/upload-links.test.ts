import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import type { Client } from '../dev/client.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { useChromium } from './support/chromium.ts'
import { makeClip } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'

const system = inject('system')
const folder = makeTestFolder()
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const DESKTOP = { viewport: { width: 1280, height: 800 } }
/** Script errors and security policy violations on all pages. */
const faults: string[] = []
const browser = useChromium()
let clip: string
let still: string

beforeAll(async () => {
  clip = await makeClip(folder, { name: 'holiday.mp4', seconds: 2 })
  still = await makeClip(folder, { name: 'still.png', seconds: 1, audio: false, codecs: ['-frames:v', '1'] })
})
afterEach(() => expect(faults.splice(0)).toEqual([]))

const Session = z.looseObject({
  id: z.string(),
  status: z.string(),
  job_id: z.string().nullable(),
  result: z.looseObject({ url: z.string(), body: z.looseObject({}) }).nullable(),
  error: z.string().nullable(),
})
const Created = Session.extend({ upload_url: z.url(), token: z.string() })

async function makeLink(client: Client, changes: object = {}) {
  const body = { service_slug: 'video', operation_key: 'thumbnail', params: { format: 'png' }, ...changes }
  const response = await client.send('POST', '/api/v1/upload-sessions', body)
  expect(response.status).toBe(201)
  return Created.parse(await response.json())
}

async function showSession({ client }: Account, id: string) {
  return Session.parse(await (await client.send('GET', `/api/v1/upload-sessions/${id}`)).json())
}

/** Opens a link in a new browser context. */
async function openLink(url: string, device: object = DESKTOP): Promise<Page> {
  const context = await browser().newContext(device)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy|refused to/i.test(message.text())) faults.push(message.text())
  })
  await page.goto(url)
  return page
}

/** Opens a usable link and waits until a file can be selected. */
async function openToSend(url: string, device: object = DESKTOP): Promise<Page> {
  const page = await openLink(url, device)
  await page.getByText('Choose a file').waitFor()
  return page
}

/** Saves a screenshot if the SCREENSHOTS environment variable names a folder. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

async function isWithinWidth(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
}

const textOf = (page: Page) => page.locator('main').textContent()
const chooseFile = (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(file)
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send this file' })

/** Waits until the page shows a text. Jobs of videos take seconds. */
const expectText = (page: Page, text: string | RegExp) =>
  expect.poll(() => textOf(page), { timeout: 60_000 }).toMatch(text)

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s', (name, device) => {
  test('a person uploads a file and sees the result of the job', async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client, {
      note: 'The clip of Saturday, please.\nNot the one with the dog.',
    })
    const page = await openToSend(link.upload_url, device)
    await saveScreenshot(page, `${name}-open`)
    const text = await textOf(page)
    for (const shown of [
      'The clip of Saturday',
      'One video, up to 5 GB',
      'one file until',
      'Video thumbnail',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).not.toContain(owner.credentials.email)
    expect(await isWithinWidth(page)).toBe(true)
    const chooser = page.waitForEvent('filechooser')
    await page.getByText('Choose a file').click()
    await (await chooser).setFiles(clip)
    await sendButton(page).waitFor()
    await saveScreenshot(page, `${name}-chosen`)
    await sendButton(page).click()
    await expectText(page, 'was processed')
    await saveScreenshot(page, `${name}-done`)
    const session = await showSession(owner, link.id)
    expect(session).toMatchObject({ status: 'done', result: { body: { width: 320, height: 180 } } })
    const job = await owner.client.job(session.job_id ?? '')
    expect(job).toMatchObject({ source: 'bridge', status: 'done' })
    expect(await owner.client.balance()).toBe(18)
    await page.reload()
    await expectText(page, 'was processed')
    await page.context().close()
  })
})

describe('the page', () => {
  test('accepts a dropped file and refuses a file of another type by name', {
    tags: ['extended'],
  }, async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client, { allowed_mime_types: ['video/mp4', 'video/quicktime'] })
    const page = await openToSend(link.upload_url)
    expect(await textOf(page)).toContain('One file: MP4 or MOV')
    await drop(page, still, 'image/png')
    const fault = page.getByRole('alert')
    await expect
      .poll(() => fault.textContent())
      .toBe('“\u2068still.png\u2069” is not accepted. This link accepts MP4 or MOV.')
    await saveScreenshot(page, 'refused')
    await drop(page, clip, 'video/mp4')
    await page.getByText('holiday.mp4').waitFor()
    await sendButton(page).click()
    await expectText(page, 'was processed')
    await page.context().close()
  })

  test('explains why a file is not a video and accepts another one', { tags: ['extended'] }, async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client)
    const page = await openToSend(link.upload_url)
    const image = { name: 'film.mp4', mimeType: 'video/mp4', buffer: await readFile(still) }
    await chooseFile(page, image)
    await sendButton(page).click()
    await expectText(page, 'is an image')
    await chooseFile(page, clip)
    await sendButton(page).click()
    await expectText(page, 'was processed')
    await page.context().close()
  })

  test('uploads through the service when storage is unreachable', { tags: ['extended'] }, async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client)
    const page = await openToSend(link.upload_url)
    await page.route('**/cdn-cgi/local/r2/**', (route) => route.abort())
    await chooseFile(page, clip)
    await sendButton(page).click()
    await expectText(page, 'was processed')
    expect((await showSession(owner, link.id)).status).toBe('done')
    await page.context().close()
  })

  test('can cancel an upload and start it again', { tags: ['extended'] }, async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client)
    const page = await openToSend(link.upload_url, PHONE)
    const storage = '**/cdn-cgi/local/r2/**'
    const reached = Promise.withResolvers<void>()
    await page.route(storage, () => reached.resolve())
    await chooseFile(page, clip)
    await sendButton(page).click()
    await reached.promise
    await saveScreenshot(page, 'sending')
    expect((await showSession(owner, link.id)).status).toBe('uploading')
    await page.getByRole('button', { name: 'Stop' }).click()
    await sendButton(page).waitFor()
    await page.unroute(storage)
    await sendButton(page).click()
    await expectText(page, 'was processed')
    await page.context().close()
  })

  test('shows the error of a file that cannot be processed', { tags: ['extended'] }, async () => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client)
    const page = await openToSend(link.upload_url)
    const corrupt = { name: 'a.mkv', mimeType: 'video/x-matroska', buffer: Buffer.alloc(5000, 7) }
    await chooseFile(page, corrupt)
    await sendButton(page).click()
    await expectText(page, 'not a readable video')
    await saveScreenshot(page, 'failed')
    expect(await showSession(owner, link.id)).toMatchObject({ status: 'failed', error: expect.any(String) })
    expect(await owner.client.balance()).toBe(20)
    await page.context().close()
  })

  test.each([
    ['withdrawn', 'was withdrawn'],
    ['unknown', 'upload link not found'],
    ['truncated', 'part of the URL is missing'],
  ])('offers no upload for a link that is %s', async (how, message) => {
    const owner = await openAccount(system.api_url)
    const link = await makeLink(owner.client)
    if (how === 'withdrawn') await owner.client.send('DELETE', `/api/v1/upload-sessions/${link.id}`)
    const [start = ''] = link.upload_url.split('#')
    const urls: Record<string, string> = { unknown: `${start}#nobody`, truncated: start }
    const page = await openLink(urls[how] ?? link.upload_url, PHONE)
    await expectText(page, new RegExp(message, 'i'))
    await saveScreenshot(page, `link-${how.replace(' ', '-')}`)
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await page.context().close()
  })

  test('runs and loads only our own resources and sends no referrer', async () => {
    const response = await fetch(`${system.api_url}/send`)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(await response.text()).not.toMatch(/<script>|style="|https?:\/\//)
  })
})

/** Drops a file onto the page. */
async function drop(page: Page, file: string, type: string): Promise<void> {
  const content = (await readFile(file)).toString('base64')
  const name = file.split('/').at(-1)
  const make = `(() => {
    const bytes = Uint8Array.from(atob('${content}'), (character) => character.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], '${name}', { type: '${type}' }))
    return transfer
  })()`
  const dataTransfer = await page.evaluateHandle(make)
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}
