import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { Media } from '../../client/node/index.ts'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { OBSERVE_SHIFTS } from '../support/layout-shifts.ts'
import { openWebPage } from '../support/web-page.ts'

/** The document of the landing page, which has its texts before the script runs. */
const system = inject('system')
const browser = useChromium()

test('the document has the texts of the page in the language of the browser, without any script', async () => {
  const page = await openWebPage(browser(), system.api_url, { locale: 'uk', javaScriptEnabled: false })
  const shown = [
    page.getByRole('heading', { name: 'Стискайте, конвертуйте й монтуйте відео та зображення' }),
    page.getByText('Вибрати файли', { exact: true }),
    page.getByRole('heading', { name: 'Ціни' }),
    page.getByRole('link', { name: 'Документація' }).first(),
  ]
  for (const each of shown) await each.waitFor()
  expect(await page.title()).toContain('Стиснути, конвертувати')
})

test('the document is in the language that the user chose, also when the browser prefers another one', async () => {
  const page = await openWebPage(browser(), system.api_url)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ru')
  await page.getByRole('heading', { name: 'Цены' }).waitFor()
  const answer = await page.reload()
  expect(answer?.headers()).toMatchObject({ 'content-language': 'ru' })
  expect(await answer?.text()).toContain('<html lang="ru">')
  const linked = await page.goto(`${system.api_url}/?lang=uk`)
  expect(await linked?.text()).toContain('<html lang="uk">')
})

test.each([360, 1280])('the page does not move when its script runs, at a width of %i px', async (width) => {
  const page = await openObserved(width)
  await page.goto(system.api_url)
  await expectNoShift(page)
})

test.each([360, 1280])('the page does not move for a signed-in user, at a width of %i px', async (width) => {
  const page = await openObserved(width)
  await page.goto(`${system.api_url}/status`)
  const session = JSON.stringify(await openSession())
  await page.evaluate(`localStorage.setItem('session', ${JSON.stringify(session)})`)
  await page.reload()
  await page.getByRole('link', { name: 'Account' }).waitFor()
  const answer = await page.goto(system.api_url)
  expect(await answer?.text()).toContain('href="/account"')
  await expectNoShift(page)
  await page.evaluate('localStorage.clear()')
  await page.reload()
  const link = page.getByRole('banner').getByRole('link', { name: 'Sign in' })
  await link.waitFor()
  expect(await (await page.reload())?.text()).not.toContain('href="/account"')
})

test('the document is in the theme that the user chose before its script runs', async () => {
  const page = await openObserved(1280)
  await page.goto(system.api_url)
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  // The script may not have loaded until now.
  await page.locator('html[data-theme=dark]').waitFor()
  for (const path of ['/status', '/']) {
    const answer = await page.goto(system.api_url + path)
    expect(await answer?.text()).toContain(' data-theme="dark"')
    expect(answer?.headers()).toMatchObject({ vary: expect.stringContaining('Cookie') })
    expect(answer?.headers()).not.toHaveProperty('etag')
  }
  await expectNoShift(page)
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('system')
  expect(await (await page.reload())?.text()).not.toContain('data-theme')
})

test('what a user enters before the script has loaded is not lost', async () => {
  const page = await openWebPage(browser(), 'about:blank')
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const script = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await page.goto(system.api_url, { waitUntil: 'commit' })
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: picture })
  expect(await page.locator('html').getAttribute('data-theme')).toBeNull()
  script.resolve()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByText('photo.png').first().waitFor()
  expect(await page.getByRole('combobox', { name: 'Theme' }).inputValue()).toBe('dark')
})

/** Opens a page that observes its shifts. */
async function openObserved(width: number): Promise<Page> {
  const page = await openWebPage(browser(), 'about:blank', { viewport: { width, height: 800 } })
  await page.addInitScript(OBSERVE_SHIFTS)
  return page
}

/** Waits until the landing page is complete, and expects that nothing has moved. */
async function expectNoShift(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Compress video' }).waitFor()
  await page.getByText('USD 2.00').waitFor()
  expect(await page.evaluate('shifts')).toEqual([])
  expect(await page.locator('[data-style]').count()).toBe(0)
}

async function openSession(): Promise<{ access_token: string; expires_at: string }> {
  const { credentials } = await openAccount(system.api_url)
  return new Media({ apiUrl: system.api_url }).auth.login(credentials)
}
