import { expect, inject, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
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
