import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { useChromium, usePage } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const folder = makeTestFolder()
const shared = usePage()
const browser = useChromium()
/** Collects what moved on the page by how much, as browsers measure it (Cumulative Layout Shift). */
const OBSERVE_SHIFTS = `globalThis.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))])
}).observe({ type: 'layout-shift', buffered: true })`
/** Script errors and policy violations. */
const faults: string[] = []
const onError = (error: Error) => faults.push(error.message)

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

/** Opens the landing page, whose texts are there before its script runs, and waits for what the script adds. */
async function openLanding(): Promise<void> {
  await shared().goto(system.api_url)
  await shared().getByRole('link', { name: 'Compress video' }).waitFor()
}

test('the landing page shows operations and prices, and is accessible', async () => {
  await shared().goto(system.api_url)
  await heading('Compress, convert and cut videos and images')
  await shared().getByRole('link', { name: 'Compress video' }).waitFor()
  await shared().getByText('2 bonuses for the first minute').waitFor()
  await shared().getByText('USD 2.00').waitFor()
  await expectAccessible(shared(), 'landing')
})

test('the landing page speaks Ukrainian', async () => {
  await shared().goto(`${system.api_url}/?lang=uk`)
  await heading('Стискайте, конвертуйте й монтуйте відео та зображення')
  await shared().getByRole('link', { name: 'Стиснути відео' }).waitFor()
  await shared().getByText('2 бонуси за першу хвилину').waitFor()
  await expectAccessible(shared(), 'landing-uk')
})

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
  const page = await openWebPage(browser(), 'about:blank', { viewport: { width, height: 800 } })
  await page.addInitScript(OBSERVE_SHIFTS)
  await page.goto(system.api_url)
  await page.getByRole('link', { name: 'Compress video' }).waitFor()
  await page.getByText('USD 2.00').waitFor()
  expect(await page.evaluate('shifts')).toEqual([])
  expect(await page.locator('[data-style]').count()).toBe(0)
})

test('the divider between before and after moves by keyboard', async () => {
  await openLanding()
  const divider = shared().getByRole('slider', { name: 'Divider between before and after' })
  await divider.focus()
  await divider.press('ArrowRight')
  await divider.press('ArrowRight')
  expect(await divider.getAttribute('aria-valuetext')).toBe('60% of the width shows before')
  await divider.press('Home')
  expect(await divider.getAttribute('aria-valuetext')).toBe('0% of the width shows before')
})

test('files that are dropped on the landing page are in the studio', async () => {
  const clip = await readFile(await makeClip(folder, { name: 'holiday.mp4', seconds: 1 }), 'base64')
  await openLanding()
  const dataTransfer = await shared().evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${clip}'), (character) => character.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'holiday.mp4', { type: 'video/mp4' }))
    transfer.items.add(new File(['a'], 'notes.txt', { type: 'text/plain' }))
    transfer.items.add(new File([], 'nothing.mp4', { type: 'video/mp4' }))
    return transfer
  })()`)
  await shared().dispatchEvent('main', 'drop', { dataTransfer })
  await shared().waitForURL('**/studio')
  await shared().getByText('holiday.mp4').first().waitFor()
  await shared().getByText('Not a video or an image: notes.txt').waitFor()
  await shared()
    .getByText(/^Empty, with no bytes at all: nothing\.mp4/)
    .waitFor()
})

test('an operation on the landing page opens in the studio', async () => {
  await shared().goto(system.api_url)
  await shared().getByRole('link', { name: 'Compress video' }).click()
  await shared().waitForURL('**/studio/video/compress')
  await heading('Compress video')
})
