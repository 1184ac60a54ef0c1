import { expect, inject, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

test('a chain runs on two videos, in the order into which its steps were dragged', async () => {
  const clips = [
    await makeClip(folder, { name: 'first.mp4', seconds: 2 }),
    await makeClip(folder, { name: 'second.mp4', seconds: 2 }),
  ]
  const page = await openWebPage(browser(), `${system.api_url}/studio`)
  await chooseFiles(page, clips)
  await page.getByRole('link', { name: 'Compress video' }).waitFor()
  await expectAccessible(page, 'tools')
  await page.getByRole('link', { name: /build a chain/ }).click()
  for (const tool of ['video/gif', 'video/rotate']) {
    await page.getByLabel('Next step').selectOption(tool)
    await page.getByRole('button', { name: 'Add step' }).click()
  }
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await page.getByText('Nothing can follow this step.').waitFor()
  expect(await page.getByRole('button', { name: 'Start · 2 files' }).isDisabled()).toBe(true)

  // Open settings are higher than the window.
  await page.getByRole('button', { name: 'Settings: Rotate video' }).click()
  const handle = steps.nth(1).locator('span').first()
  await handle.dragTo(steps.nth(0), { targetPosition: { x: 40, y: 4 } })
  await steps.first().getByText('Rotate video').waitFor()
  await expectAccessible(page, 'chain')

  await page.getByRole('button', { name: 'Start · 2 files' }).click()
  const downloads = page.getByRole('link', { name: /\.gif/ })
  await downloads.nth(1).waitFor()
  const url = await downloads.first().getAttribute('href')
  const response = await fetch(new URL(url ?? '', system.api_url))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif'])
})

test('steps keep the focus, and a watermark has no words but those of the user', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/studio/chain`)
  const focused = () => page.evaluate('document.activeElement?.ariaLabel ?? document.activeElement?.tagName')
  for (const tool of ['image/resize', 'image/watermark', 'image/compress']) {
    await page.getByLabel('Next step').selectOption(tool)
    await page.getByRole('button', { name: 'Add step' }).click()
  }
  await expect.poll(focused).toBe('Settings: Compress image')
  await page.getByRole('button', { name: 'Settings: Watermark' }).click()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
  await page.getByText('Complete the settings of this step.').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('© Ann')
  await page.getByText('Complete the settings of this step.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Settings: Watermark' }).click()
  await page.getByText(/Text: “© Ann”/).waitFor()

  await page.getByRole('button', { name: 'Move down: Resize image' }).press('Enter')
  await expect.poll(focused).toBe('Move down: Resize image')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Move down: Resize image')
  await page.getByRole('button', { name: 'Remove: Watermark' }).press('Enter')
  await expect.poll(focused).toBe('Remove: Compress image')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('SELECT')
})

test('a chain is saved as a template by Enter, under the name as it was corrected', async () => {
  const { client, id } = await openAccount(system.api_url)
  const page = await openWebPage(browser(), `${system.api_url}/status`)
  const session = JSON.stringify({ access_token: client.token, expires_at: '2100-01-01T00:00:00Z' })
  await page.evaluate(`localStorage.setItem('session', ${JSON.stringify(session)})`)
  await page.evaluate(`localStorage.setItem('account', '${id}')`)
  await page.goto(`${system.api_url}/studio/chain`)
  await page.getByLabel('Next step').selectOption('image/resize')
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('button', { name: 'Save as template' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  // Nothing of it remains, so nothing is sent.
  await name.fill('тест')
  await name.press('Enter')
  await expect.poll(() => name.inputValue()).toBe('')
  // Pasted and sent before the next render.
  const paste = `document.activeElement.value = 'My Chain <b>'
    document.activeElement.form.requestSubmit()`
  await page.evaluate(paste)
  await page.getByText(/Saved .my-chain-b., version 1/).waitFor()
})
