import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { useChromium } from '../support/chromium.ts'
import { makeTestFolder } from '../support/folder.ts'
import { OBSERVE_SHIFTS } from '../support/layout-shifts.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

const MEBIBYTE = 1024 ** 2
/** Twice as many parts as are sent at a time, at a speed at which the second half takes seconds. */
const BYTES = 40 * MEBIBYTE
const BYTES_PER_SECOND = 12 * MEBIBYTE

test('an upload that a reload interrupts continues with the parts that are missing', async () => {
  const file = join(folder, 'long.mp4')
  await writeFile(file, randomBytes(BYTES))
  const page = await openWebPage(browser(), `${system.api_url}/studio`)
  page.on('dialog', (dialog) => dialog.accept())
  const session = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: BYTES_PER_SECOND }
  await session.send('Network.emulateNetworkConditions', slow)
  const part_sent = page.waitForResponse((response) => response.request().method() === 'PUT')
  let parts = 0
  page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.ok()) parts++
  })

  await page.getByLabel('Choose files').setInputFiles(file)
  await part_sent
  await page.addInitScript(OBSERVE_SHIFTS)
  await page.reload()
  const sent_before = parts
  await page.getByText('Uploaded').waitFor()
  // The kept file has its place from the start. The bar of its progress then makes it a little higher.
  expect(await page.evaluate('shifts.reduce((sum, [value]) => sum + value, 0)')).toBeLessThan(0.02)
  expect(sent_before).toBeGreaterThan(0)
  // Parts whose response the reload cut off are stored, too, so they are not sent again.
  expect(parts).toBeLessThanOrEqual(Math.ceil(BYTES / (5 * MEBIBYTE)))
})
