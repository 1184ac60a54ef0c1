import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { expectAccessible } from '../support/accessibility.ts'
import { type Account, openAccount } from '../support/accounts.ts'
import { useChromium, usePage } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'

const system = inject('system')
const folder = makeTestFolder()
const browser = useChromium()
const shared = usePage()
/** Script errors of the owner's page. */
const faults: string[] = []
const onError = (error: Error) => faults.push(error.message)
let clip: string

beforeAll(async () => {
  clip = await makeClip(folder, { name: 'holiday.mp4', seconds: 2 })
})

beforeEach(() => {
  shared().on('pageerror', onError)
})

afterEach(async () => {
  shared().off('pageerror', onError)
  await shared().evaluate('localStorage.clear()')
  await shared().goto('about:blank')
  await shared().emulateMedia({ colorScheme: null })
  expect(faults.splice(0)).toEqual([])
})

const heading = (name: string) => shared().getByRole('heading', { name }).waitFor()
const button = (name: string) => shared().getByRole('button', { name }).click()

/** Opens a page of the web application with the session of an account. */
async function openAs({ client }: Account, path: string): Promise<void> {
  const session = { access_token: client.token, expires_at: '2100-01-01T00:00:00Z' }
  await shared().goto(`${system.api_url}/icon.svg`)
  await shared().evaluate(`localStorage.setItem('session', '${JSON.stringify(session)}')`)
  await shared().goto(system.api_url + path)
}

async function sendFile(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('input[type=file]').setInputFiles(clip)
  await page.getByRole('button', { name: 'Send this file' }).click()
  await page.getByText('was processed').waitFor({ timeout: 60_000 })
}

test('a link is created, used by someone else, and its owner gets the result', async () => {
  await openAs(await openAccount(system.api_url), '/upload-links')
  await heading('No upload links yet')
  await expectAccessible(shared(), 'upload-links-empty')
  await shared().getByRole('link', { name: 'Create a link' }).click()
  await shared().getByLabel('Operation').selectOption('video/thumbnail')
  await shared().getByLabel('Note to the sender').fill('The clip of Saturday')
  await expectAccessible(shared(), 'upload-link-new')
  await button('Create the link')
  await heading('Your upload link')
  await expectAccessible(shared(), 'upload-link-created')
  const url = await shared().getByLabel('Upload link', { exact: true }).inputValue()

  const context = await browser().newContext()
  const sender = await context.newPage()
  await sender.goto(url)
  await sender.getByText('The clip of Saturday').waitFor()
  await sendFile(sender, url)
  await context.close()

  await shared().getByRole('link', { name: 'All links' }).click()
  const download = shared().getByRole('link', { name: /^Download holiday/ })
  const result = await shared().request.get((await download.getAttribute('href')) ?? '')
  expect(result.headers()['content-type']).toMatch(/^image\//)
  await expectAccessible(shared(), 'upload-links')
})

test('a link is withdrawn', async () => {
  const owner = await openAccount(system.api_url)
  const body = { service_slug: 'image', operation_key: 'resize', params: { width: 100 } }
  const response = await owner.client.send('POST', '/api/v1/upload-sessions', body)
  const { id } = z.object({ id: z.string() }).parse(await response.json())
  await openAs(owner, '/upload-links')
  await button('Withdraw')
  await button('Withdraw the link')
  await shared().getByText('Withdrawn', { exact: true }).waitFor()
  const shown = await owner.client.send('GET', `/api/v1/upload-sessions/${id}`)
  expect(await shown.json()).toMatchObject({ status: 'canceled' })
})

test('a refused webhook is shown at its field', async () => {
  await openAs(await openAccount(system.api_url), '/upload-links/new')
  await shared().getByText('Limits and webhook').click()
  await shared().getByLabel('Webhook URL').fill('ftp://example.org/hook')
  await button('Create the link')
  await shared().locator('input[type=url][aria-invalid=true]').waitFor()
})

test('the pages of upload links speak Ukrainian', async () => {
  await openAs(await openAccount(system.api_url), '/upload-links?lang=uk')
  await heading('Посилань ще немає')
  await shared().getByRole('link', { name: 'Створити посилання' }).click()
  await heading('Нове посилання для завантаження')
  await shared().getByRole('button', { name: 'Створити посилання' }).waitFor()
  await expectAccessible(shared(), 'upload-link-new-uk')
})

test('the list of upload links asks visitors to sign in', async () => {
  await shared().goto(`${system.api_url}/upload-links`)
  await heading('Sign in to continue')
})
