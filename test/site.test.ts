import type { ConsoleMessage } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { addressOfPage, listPages } from '../dev/site/page.ts'
import { buildSiteMap } from '../dev/site/site-map.ts'
import { listFindings } from './support/accessibility.ts'
import { useChromium, usePage } from './support/chromium.ts'

/** The documentation site in a browser: accessible in both themes, on phones, and under its strict policy. */
const system = inject('system')
const browser = useChromium()
const shared = usePage()

const addresses = [...listPages(buildSiteMap()).map(addressOfPage), '/docs/nowhere']

const VIEWS = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/**
 * One template makes all pages of a kind, and axe takes a second per page, most of it for contrasts. These depend on
 * the style sheet alone: they are checked on some pages of each template, and each page is checked in one theme.
 */
const GENERATED = /^\/docs\/(operations|endpoints)\//
const WITH_CONTRASTS = 8
/** What all pages have in common is checked on the pages that are written by hand. */
const SHARED = ['nav.sidebar', 'header']

const pages = addresses.map((address, index) => {
  const is_generated = GENERATED.test(address)
  const checks = VIEWS.filter((_view, place) => !is_generated || index % 2 === place)
  const rulesOff = is_generated && index % WITH_CONTRASTS > 1 ? ['color-contrast'] : []
  return { address, checks, exclude: is_generated ? SHARED : [], rulesOff }
})

test('the contrasts of pages made from a template are checked in both themes', () => {
  for (const kind of ['operations/video', 'operations/image', 'endpoints']) {
    const made = pages.filter(
      ({ address, rulesOff }) => address.startsWith(`/docs/${kind}/`) && rulesOff.length === 0,
    )
    const themes = made.flatMap(({ checks }) => checks.map(({ colorScheme }) => colorScheme))
    expect(new Set(themes)).toEqual(new Set(['light', 'dark']))
  }
})

test.each(pages)(
  '$address is accessible, fits a phone and breaks no policy',
  async ({ address, checks, exclude, rulesOff }) => {
    const page = shared()
    const errors: string[] = []
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === 'error' && !/404 \(Not Found\)/.test(message.text())) errors.push(message.text())
    }
    const onError = (error: Error) => errors.push(error.message)
    page.on('console', onConsole).on('pageerror', onError)
    onTestFinished(() => {
      page.off('console', onConsole).off('pageerror', onError)
    })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(system.api_url + address)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    for (const { width, colorScheme } of checks) {
      await page.setViewportSize({ width, height: 800 })
      // Without motion, colors change at once.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
      expect([colorScheme, ...(await listFindings(page, exclude, rulesOff))]).toEqual([colorScheme])
    }
    expect(errors).toEqual([])
    page.removeAllListeners()
  },
)

test('the search finds an operation', async () => {
  const page = await browser().newPage()
  await page.goto(`${system.api_url}/docs`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('textbox').fill('karaoke')
  const result = page.locator('dialog a[href*="/docs/operations/video/subtitles"]').first()
  await result.click()
  await page.waitForURL(/\/docs\/operations\/video\/subtitles/)
  await page.close()
})

test('code is highlighted', async () => {
  const page = await browser().newPage()
  await page.goto(`${system.api_url}/docs/quick-start`)
  const colors = await page.evaluate(
    "[...document.querySelectorAll('.ec-line span')].map((token) => getComputedStyle(token).color)",
  )
  expect(new Set(z.array(z.string()).parse(colors)).size).toBeGreaterThan(2)
  await page.close()
})

test('an error leads to its entry', async () => {
  const refusal = await fetch(`${system.api_url}/api/v1/nowhere`)
  const { doc_url, code } = z.object({ doc_url: z.url(), code: z.string() }).parse(await refusal.json())
  const page = await browser().newPage()
  await page.goto(doc_url)
  expect(await page.locator(':target').textContent()).toBe(code)
  await page.close()
})
