import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { ROOT } from '../../dev/system/root.ts'
import { useChromium } from '../support/chromium.ts'
import { openWebPage } from '../support/web-page.ts'

/** Journeys without a mouse: only Tab, arrow keys, Space, Enter and typing. */
const system = inject('system')
const browser = useChromium()
const PHOTO = join(ROOT, 'docs/site/media/sample-photo-plain.webp')
const CLIP = join(ROOT, 'docs/site/media/sample-clip-plain.mp4')

/** Longest way by Tab to a control of a page. */
const TABS_MAX = 120

/** Name of the focused element: its label, or the text that it shows. */
const FOCUSED = `(() => {
  const { activeElement: element } = document
  return element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? ''
})()`

/** Presses Tab until the focus is on an element with the name, and checks that the focus can be seen. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let count = 0; count < TABS_MAX; count++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(FOCUSED)
    if (typeof focused === 'string' && name.test(focused)) return
  }
  throw new Error(`Tab does not reach ${name}.`)
}

async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

async function chooseFile(page: Page, file: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    press(page, /^Choose files$/, 'Space'),
  ])
  await chooser.setFiles(file)
}

test('an image is compressed and its result reached by keyboard alone', async () => {
  const page = await openWebPage(browser(), system.api_url)
  await chooseFile(page, PHOTO)
  await page.waitForURL('**/studio')
  await page.getByText('Uploaded').waitFor()
  await press(page, /^Compress image$/)
  await page.getByRole('heading', { name: 'Compress image' }).waitFor()
  await press(page, /^Start/)
  await page.getByRole('link', { name: /^Download/ }).waitFor()
  await tabTo(page, /^Download/)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toBe('sample-photo-plain-compress.webp')
})

test('a chain is built, ordered and run by keyboard alone', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/studio/chain`)
  await chooseFile(page, CLIP)
  await page.getByText('Uploaded').waitFor()
  for (const name of ['Video to GIF', 'Flip video']) {
    await tabTo(page, /^Next step$/)
    // Typing chooses an option of a closed list.
    await page.keyboard.type(name)
    await press(page, /^Add step$/)
    await page.getByRole('list', { name: 'Steps' }).getByText(name).waitFor()
  }
  await press(page, /^Move up: Flip video$/)
  await press(page, /^Start/)
  await page.getByRole('link', { name: /^Download .*\.gif/ }).waitFor()
})
