/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { GENEROUS_LIMITS } from '../../dev/system/settings.ts'
import { useChromium } from '../support/chromium.ts'
import { makeTestFolder } from '../support/folder.ts'
import { makePhotos } from '../support/photos.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'

/** The studio when a visitor sends more than the requests that are allowed per minute. */
const COUNT = 12
const settings = { ...GENEROUS_LIMITS, requests_per_minute_anonymous: 25 }
const browser = useChromium()
const folder = makeTestFolder()
let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ settings })
})
afterAll(() => system?.stop())

test('the studio waits for a limit of requests, says so, and finishes all files', {
  timeout: 400_000,
}, async () => {
  const photos = await makePhotos(folder, COUNT)
  const page = await openWebPage(browser(), `${system.api_url}/studio/image/compress`, {}, /status of 429/)
  let refused = 0
  page.on('response', (response) => {
    if (response.status() === 429) refused++
  })
  await chooseFiles(page, photos)
  await page.getByRole('button', { name: /^Start/ }).click()
  await page.getByText('You have reached the number of requests').waitFor()
  const button = page.getByRole('button', { name: `Download ${COUNT} files as ZIP` })
  await button.waitFor({ timeout: 300_000 })
  expect(refused).toBeGreaterThan(0)
  expect(await page.getByText('Failed', { exact: true }).count()).toBe(0)
})
