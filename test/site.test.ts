import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { addressOfPage, listPages } from '../dev/site/page.ts'
import { buildSiteMap } from '../dev/site/site-map.ts'
import { listFindings, VIEWS } from './support/accessibility.ts'
import { useChromium, usePage } from './support/chromium.ts'
import { choosePages, readPageKinds } from './support/page-kinds.ts'
import { listMarkupFaults } from './support/page-markup.ts'
import { collectPageErrors } from './support/web-page.ts'

/** The documentation site in a browser: accessible in both themes, on phones, and under its strict policy. */
const system = inject('system')
const browser = useChromium()
const shared = usePage()

const MISSING = '/docs/nowhere'
const addresses = [...listPages(buildSiteMap()).map(addressOfPage), MISSING]

/** One template makes all pages of a folder, such as /docs/endpoints. */
const templateOf = (address: string) => address.split('/').slice(2, -1).join('/') || 'guides'
const templates = Map.groupBy(addresses, templateOf)

/** What all pages have in common, which is checked on the first page of each template. */
const SHARED = ['nav.sidebar', 'header']

/** axe runs on up to ten pages of a template, each time for a second on a machine that does nothing else. */
const AXE_MS_MAX = 600_000

async function checkPage(address: string): Promise<void> {
  const page = shared()
  const errors = collectPageErrors(page, address === MISSING ? /404 \(Not Found\)/ : undefined)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(system.api_url + address)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await listMarkupFaults(page)).toEqual([])
  expect(errors).toEqual([])
}

const PAGE = '%s fits a phone, has valid markup and breaks no policy'
const firsts = [...templates.values()].flatMap(([first]) => first ?? [])
test.each(firsts)(PAGE, checkPage)
test.each(addresses.filter((address) => !firsts.includes(address)))(PAGE, { tags: ['extended'] }, checkPage)

const checkTemplate = async (template: string) => {
  const page = shared()
  const pages = templates.get(template) ?? []
  await page.goto(system.api_url + pages[0])
  const chosen = choosePages(await readPageKinds(page, pages))
  const findings: string[] = []
  for (const [index, address] of chosen.entries()) {
    await page.goto(system.api_url + address)
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
      const found = await listFindings(page, index > 0 ? SHARED : [])
      findings.push(...found.map((finding) => `${address} in ${colorScheme}: ${finding}`))
    }
  }
  expect(findings).toEqual([])
}

const SLOW = { tags: ['extended'], timeout: AXE_MS_MAX }
test.each([...templates.keys()])('every kind of element of %s is accessible', SLOW, checkTemplate)

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
  const page = shared()
  await page.goto(`${system.api_url}/docs/quick-start`)
  const colors = await page.evaluate(
    "[...document.querySelectorAll('.ec-line span')].map((token) => getComputedStyle(token).color)",
  )
  expect(new Set(z.array(z.string()).parse(colors)).size).toBeGreaterThan(2)
})

test('an error leads to its entry', async () => {
  const refusal = await fetch(`${system.api_url}/api/v1/nowhere`)
  const { doc_url, code } = z.object({ doc_url: z.url(), code: z.string() }).parse(await refusal.json())
  const page = shared()
  await page.goto(doc_url)
  expect(await page.locator(':target').textContent()).toBe(code)
})
