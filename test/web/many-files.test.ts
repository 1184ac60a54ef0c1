import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { useChromium } from '../support/chromium.ts'
import { makeTestFolder } from '../support/folder.ts'
import { makePhotos } from '../support/photos.ts'
import { runScript } from '../support/run-script.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

/** `FILES=200` tries as many files as a batch may have. */
const COUNT = Number(process.env.FILES ?? 30)
const TIMEOUT_MS = 100_000 + COUNT * 4000
/** On a busy machine. Users notice a page that does not respond for longer. */
const UNRESPONSIVE_MS_MAX = 1000
const OBSERVE_TASKS = `globalThis.task_ms_max = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) task_ms_max = Math.max(task_ms_max, duration)
}).observe({ type: 'longtask', buffered: true })`

async function openStudio(path: string): Promise<Page> {
  const page = await openWebPage(browser(), 'about:blank')
  await page.addInitScript(OBSERVE_TASKS)
  await page.goto(`${system.api_url}${path}`)
  return page
}

async function dropFiles(page: Page, paths: string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), base64: await readFile(path, 'base64') })),
  )
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: 'image/png' }))
    }
    return transfer
  })()`)
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}

/** Waits until all files are done, and downloads them as one archive. @returns the paths of the results */
async function downloadAll(page: Page, count: number): Promise<string[]> {
  const button = page.getByRole('button', { name: new RegExp(`^Download ${count} files as ZIP`) })
  await button.waitFor({ timeout: TIMEOUT_MS })
  expect(await page.evaluate('task_ms_max')).toBeLessThan(UNRESPONSIVE_MS_MAX)
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
  const archive = join(folder, 'results.zip')
  await saved.saveAs(archive)
  const unpacked = join(folder, `unpacked-${count}`)
  await runScript(['unzip', '-q', '-o', archive, '-d', unpacked], { cwd: folder, env: {} })
  return readdirSync(unpacked).map((name) => join(unpacked, name))
}

const measure = async (file: string) => {
  const { width, format } = await sharp(file).metadata()
  return `${width} ${format}`
}

test('many files that are dropped are all resized while the page responds', {
  tags: ['extended'],
  timeout: 2 * TIMEOUT_MS,
}, async () => {
  const photos = await makePhotos(join(folder, 'dropped'), COUNT)
  const page = await openStudio('/studio/image/resize')
  await page.getByLabel('Width').first().fill('32')
  await dropFiles(page, photos)
  await page.getByRole('button', { name: /^Start/ }).click()
  const results = await downloadAll(page, COUNT)
  expect(results).toHaveLength(COUNT)
  expect(new Set(await Promise.all(results.map(measure)))).toEqual(new Set(['32 png']))
})

test('a chain runs on every file of a folder', { timeout: 2 * TIMEOUT_MS }, async () => {
  await makePhotos(join(folder, 'trip'), 8)
  await makePhotos(join(folder, 'trip/second day'), 4)
  const page = await openStudio('/studio/chain')
  await page.getByLabel('Choose a folder').setInputFiles(join(folder, 'trip'))
  for (const tool of ['image/crop', 'image/convert']) {
    await page.getByLabel('Next step').selectOption(tool)
    await page.getByRole('button', { name: 'Add step' }).click()
  }
  await page.getByRole('button', { name: 'Start · 12 files' }).click()
  const results = await downloadAll(page, 12)
  const names = results.map((file) => basename(file))
  expect(new Set(names).size).toBe(12)
})
