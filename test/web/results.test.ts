import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from '../../dev/system/root.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { openKey } from '../support/media.ts'
import { runScript } from '../support/run-script.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'

/** Results in the studio, as a visitor without an account gets them. */
const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()
const photo = join(folder, 'photo.jpg')
/** Another photo with the same name. */
const twin = join(folder, 'twin/photo.jpg')

beforeAll(async () => {
  const sample = sharp(join(ROOT, 'docs/site/media/sample-photo-plain.webp')).resize(1600)
  await sample.clone().jpeg({ quality: 98 }).toFile(photo)
  mkdirSync(join(folder, 'twin'))
  await sample.clone().flop().jpeg({ quality: 98 }).toFile(twin)
})

async function run(page: Page, operation: string, files: string[]): Promise<void> {
  await page.goto(`${system.api_url}/studio/${operation}`)
  await chooseFiles(page, files)
  // The second click must not run, and charge, the same again.
  await page.getByRole('button', { name: /^Start/ }).dblclick()
}

/** Clicks, and saves what the browser downloads. @returns the path of the file */
async function download(page: Page, link: Locator): Promise<string> {
  const [saved] = await Promise.all([page.waitForEvent('download'), link.click()])
  const path = join(folder, `downloaded-${saved.suggestedFilename()}`)
  await saved.saveAs(path)
  return path
}

const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

test('a compressed photo can be compared, downloaded, used again, and deleted', async () => {
  const page = await openWebPage(browser(), system.api_url)
  const responses: string[] = []
  page.on('response', (response) => responses.push(response.url()))
  await run(page, 'image/compress', [photo])
  const divider = page.getByRole('slider', { name: 'Divider between before and after' })
  await divider.waitFor()
  await page.getByText(/^\d+% smaller: [\d.]+ kB saved$/).waitFor()
  await divider.press('ArrowRight')
  expect(await divider.getAttribute('aria-valuetext')).toBe('55% of the width shows before')
  await expectAccessible(page, 'result')

  await page.getByRole('button', { name: 'Actual size' }).click()
  await page.getByRole('region', { name: 'Image at actual size' }).waitFor()
  const link = page.getByRole('link', { name: 'Download photo-compress.jpg' })
  const path = await download(page, link)
  expect(statSync(path).size).toBeLessThan(statSync(photo).size)
  expect(await sharp(path).metadata()).toMatchObject({ format: 'jpeg', width: 1600 })
  const url = (await link.getAttribute('href')) ?? ''
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(digest(path)).toBe(createHash('sha256').update(stored).digest('hex'))

  await page.getByRole('button', { name: 'Use in another tool' }).click()
  await page.getByRole('button', { name: /^Remove .photo-compress\.jpg/ }).waitFor()
  await page.getByRole('button', { name: 'Delete files' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete files' }).click()
  await page.getByText('The files of this job were deleted.').waitFor()
  expect((await fetch(url)).status).toBe(404)
})

test('two results with the same name are downloaded as one archive', async () => {
  const page = await openWebPage(browser(), system.api_url)
  await run(page, 'image/compress', [photo, twin])
  const archive = await download(page, page.getByRole('button', { name: /^Download 2 files as ZIP/ }))
  const unpacked = join(folder, 'unpacked')
  await runScript(['unzip', '-q', archive, '-d', unpacked], { cwd: folder, env: {} })
  const names = ['photo-compress.jpg', 'photo-compress (2).jpg']
  const digests = names.map((name) => digest(join(unpacked, name)))
  const links = await page.getByRole('link', { name: 'Download photo-compress.jpg' }).all()
  const stored = await Promise.all(
    links.map(async (link) => {
      const response = await fetch((await link.getAttribute('href')) ?? '')
      return createHash('sha256')
        .update(Buffer.from(await response.arrayBuffer()))
        .digest('hex')
    }),
  )
  expect(digests.sort()).toEqual(stored.sort())
})

test('the curl call of a result runs as it is', async () => {
  const page = await openWebPage(browser(), system.api_url)
  await run(page, 'image/compress', [photo])
  await page.getByRole('button', { name: 'As code' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Compress image as code' })
  const code = await dialog.locator('pre').textContent()
  await expectAccessible(page, 'as-code')
  const { apiKey } = await openKey(system)
  await runScript(['bash', '-euo', 'pipefail', '-c', code ?? ''], {
    cwd: folder,
    env: { MEDIA_API_KEY: apiKey },
  })
  const result = join(folder, 'result-photo-compress.jpg')
  expect(existsSync(result) && statSync(result).size).toBeLessThan(statSync(photo).size)
})

test('a video plays in step with the one before', async () => {
  const clip = await makeClip(folder, { name: 'clip.mp4', seconds: 4 })
  const page = await openWebPage(browser(), system.api_url)
  await run(page, 'video/mute', [clip])
  await page.getByText('Copied without loss').waitFor()
  await page.locator('figure video').nth(1).waitFor()
  const evaluate = (expression: string) =>
    page.evaluate(`{ const [before, after] = document.querySelectorAll('figure video'); ${expression} }`)
  await evaluate('after.play()')
  await expect.poll(() => evaluate('!before.paused && !after.paused')).toBe(true)
  await evaluate('before.pause(); before.currentTime = 3')
  await expect.poll(() => evaluate('before.paused && after.paused && after.currentTime')).toBeCloseTo(3, 0)
  expect(await evaluate('[before.muted, after.muted]')).toEqual([true, false])
  await expectAccessible(page, 'video-result')
})
