import { expect, inject, onTestFinished, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()
const TOOLS = OPERATIONS.map(({ service, key }) => `${service}/${key}`)

async function checkForms(language: string): Promise<void> {
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
}
test('every operation has a complete form in en', () => checkForms('en'))
test.each(['uk', 'ru'])('every operation has a complete form in %s', { tags: ['extended'] }, checkForms)

test('a refusal of the service is shown at its field, which receives the focus', async () => {
  // Browsers report refused requests as errors of the page.
  const context = await browser().newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${system.api_url}/studio/video/convert`)
  await chooseFiles(page, [await makeClip(folder, { name: 'clip.mp4', seconds: 1 })])
  // WebM does not support the codec of the preset.
  await page.getByRole('radio', { name: 'WebM', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Start' }).click()
  const refused = page.locator('select[aria-invalid="true"]:focus')
  await refused.waitFor()
  expect(await refused.evaluate('document.activeElement.labels[0].textContent')).toBe('Video codec')
  const [sentence] = ((await refused.getAttribute('aria-describedby')) ?? '').split(' ')
  expect(await page.locator(`[id="${sentence}"]`).textContent()).toMatch(/webm/i)
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
