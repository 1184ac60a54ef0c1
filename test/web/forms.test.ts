import { expect, inject, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { useChromium } from '../support/chromium.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const TOOLS = OPERATIONS.map(({ service, key }) => `${service}/${key}`)

test.each(['en', 'uk', 'ru'])('every operation has a complete form in %s', async (language) => {
  const page = await openWebPage(browser(), `${system.api_url}/studio?lang=${language}`)
  for (const tool of TOOLS) {
    await page.evaluate(`history.pushState(null, '', '/studio/${tool}')`)
    await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    await page.locator(`[data-tool="${tool}"]`).waitFor()
    for (const preset of await page.locator('[data-tool] > fieldset input[type="radio"]').all()) {
      await preset.check({ force: true })
      expect([tool, await page.locator('[aria-invalid]').count()]).toEqual([tool, 0])
    }
    expect([tool, await page.evaluate(LIST_UNNAMED)]).toEqual([tool, []])
  }
})

/** Lists the controls, groups and hints without a text. */
const LIST_UNNAMED = `
  [...document.querySelectorAll('[data-tool] :is(input:not([type=file]), select, textarea, fieldset)')]
    .filter((control) => {
      const label = control.labels?.[0] ?? control.querySelector('legend')
      const name = control.getAttribute('aria-label') ?? label?.textContent ?? ''
      return name.trim() === '' && control.tagName !== 'DIV'
    })
    .map((control) => control.outerHTML)
`
