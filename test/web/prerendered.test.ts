import { expect, inject, test } from 'vitest'
import { useChromium } from '../support/chromium.ts'
import { openWebPage } from '../support/web-page.ts'

/** The document of the landing page, which has its texts before the script runs. */
const system = inject('system')
const browser = useChromium()
/** Collects what moved on the page by how much, as browsers measure it (Cumulative Layout Shift). */
const OBSERVE_SHIFTS = `globalThis.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))])
}).observe({ type: 'layout-shift', buffered: true })`

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
