import type { ConsoleMessage } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { addressOfPage, listPages } from '../dev/site/page.ts'
import { buildSiteMap } from '../dev/site/site-map.ts'
import { listViolations } from './support/accessibility.ts'
import { useChromium, usePage } from './support/chromium.ts'

/** The documentation site in a browser: accessible in both themes, on phones, and under its strict policy. */
const system = inject('system')
const browser = useChromium()
const shared = usePage()

const addresses = [...listPages(buildSiteMap()).map(addressOfPage), '/docs/nowhere']

test.each(addresses)(
  '%s is accessible in both themes, fits a phone and breaks no policy',
  async (address) => {
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
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(system.api_url + address)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await listViolations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme="dark"]').waitFor()
    expect(await listViolations(page)).toEqual([])
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
