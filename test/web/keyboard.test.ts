/** @module-tag extended */

import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { ROOT } from '../../dev/system/root.ts'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { decodeFrames, findFrame } from '../support/probe-media.ts'
import { openWebPage } from '../support/web-page.ts'

/** Journeys in Ukrainian and without a mouse: only Tab, arrow keys, Space, Enter and typing. */
const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()
const PHOTO = join(ROOT, 'docs/site/media/sample-photo-plain.webp')
const UKRAINIAN = { locale: 'uk', reducedMotion: 'reduce' } as const

/** Longest way by Tab to a control of a page. */
const TABS_MAX = 140
/** More than the tools that a list offers. */
const OPTIONS_MAX = 100

/** Name of the focused element: its label, or the text that it shows. */
const FOCUSED = `(() => {
  const { activeElement: element } = document
  return (element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? '').trim()
})()`

/** Presses Tab until the focus is on an element with the name. */
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

async function repeat(page: Page, key: string, count: number): Promise<void> {
  for (let time = 0; time < count; time++) await page.keyboard.press(key)
}

/** Chooses in a closed list by the arrow keys. Playwright cannot type Cyrillic text by keys. */
async function chooseOption(page: Page, label: RegExp, option: string): Promise<void> {
  await tabTo(page, label)
  const chosen = () => page.evaluate('document.activeElement.selectedOptions[0]?.label')
  for (let count = 0; count < OPTIONS_MAX && (await chosen()) !== option; count++) {
    await page.keyboard.press('ArrowDown')
  }
  expect(await chosen()).toBe(option)
}

async function chooseFiles(page: Page, name: RegExp, files: string[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, name, 'Space')])
  await chooser.setFiles(files)
}

const open = (path: string) => openWebPage(browser(), system.api_url + path, UKRAINIAN)
const uploaded = (page: Page) =>
  page
    .getByText(/· Завантажено$/)
    .first()
    .waitFor()

/** Downloads the newest result. @returns the path of the file */
async function download(page: Page): Promise<string> {
  await page.getByRole('link', { name: /^Завантажити / }).waitFor()
  await tabTo(page, /^Завантажити /)
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const path = join(folder, saved.suggestedFilename())
  await saved.saveAs(path)
  return path
}

test('an image is compressed, from the first page to the downloaded file', async () => {
  const page = await open('/')
  await chooseFiles(page, /^Вибрати файли$/, [PHOTO])
  await page.waitForURL('**/studio')
  await uploaded(page)
  await press(page, /^Стиснути зображення$/)
  await page.getByRole('heading', { name: 'Стиснути зображення' }).waitFor()
  await press(page, /^Почати/)
  expect(await download(page)).toMatch(/sample-photo-plain-compress\.webp$/)
})

test('a chain is built, ordered, and run on two videos', async () => {
  const clips = ['one.mp4', 'two.mp4'].map((name) => makeClip(folder, { name, seconds: 1, audio: false }))
  const page = await open('/studio/chain')
  await chooseFiles(page, /^Вибрати файли$/, await Promise.all(clips))
  await uploaded(page)
  for (const name of ['GIF з відео', 'Віддзеркалити відео']) {
    await chooseOption(page, /^Наступний крок$/, name)
    await press(page, /^Додати крок$/)
    await page.getByRole('list', { name: 'Кроки' }).getByText(name).waitFor()
  }
  await press(page, /^Перемістити вгору: Віддзеркалити відео$/)
  await press(page, /^Почати · 2 файли/)
  await page
    .getByRole('link', { name: /^Завантажити .*\.gif/ })
    .nth(1)
    .waitFor()
})

test('a video is trimmed to exact frames on the timeline', async () => {
  const clip = await makeClip(folder, { name: 'frames.mp4', seconds: 2, audio: false })
  const page = await open('/studio/video/trim')
  await chooseFiles(page, /^Вибрати файли$/, [clip])
  await page.getByRole('slider', { name: 'Початок фрагмента' }).waitFor()
  await tabTo(page, /^Початок фрагмента$/)
  await repeat(page, 'ArrowRight', 7)
  await tabTo(page, /^Кінець фрагмента$/)
  await page.keyboard.press('End')
  await page.keyboard.press('PageDown')
  await repeat(page, 'ArrowLeft', 3)
  await press(page, /^Почати$/)
  const [frames, source] = await Promise.all([decodeFrames(await download(page)), decodeFrames(clip)])
  expect([frames.length, findFrame(source, frames[0]), findFrame(source, frames.at(-1))]).toEqual([15, 7, 21])
})

test('an upload is paused, survives a reload, and is resumed', async () => {
  const MEBIBYTE = 1024 ** 2
  const file = join(folder, 'long.mp4')
  await writeFile(file, randomBytes(12 * MEBIBYTE))
  const page = await open('/studio')
  const session = await page.context().newCDPSession(page)
  const limitUpload = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
    })
  // So slow that the upload cannot end before it is paused.
  await limitUpload(MEBIBYTE / 16)
  await chooseFiles(page, /^Вибрати файли$/, [file])
  await page.getByText(/Завантаження, /).waitFor()
  await press(page, /^Призупинити .long\.mp4.$/)
  await page.reload()
  await page.getByText(/Призупинено на/).waitFor()
  await limitUpload(-1)
  await press(page, /^Продовжити .long\.mp4.$/)
  await uploaded(page)
})

test('an upload link is created, used by someone else, and its owner gets the result', async () => {
  const { client, id } = await openAccount(system.api_url)
  const owner = await open('/status')
  const session = JSON.stringify({ access_token: client.token, expires_at: '2100-01-01T00:00:00Z' })
  await owner.evaluate(`localStorage.setItem('session', ${JSON.stringify(session)})`)
  await owner.evaluate(`localStorage.setItem('account', '${id}')`)
  await owner.goto(`${system.api_url}/upload-links`)
  await owner.getByRole('heading', { name: 'Посилань ще немає' }).waitFor()
  await press(owner, /^Створити посилання$/)
  await owner.getByRole('heading', { name: 'Нове посилання для завантаження' }).waitFor()
  await chooseOption(owner, /^Операція$/, 'Мініатюра відео')
  await press(owner, /^Створити посилання$/)
  const url = await owner.getByLabel('Посилання для завантаження', { exact: true }).inputValue()

  const sender = await openWebPage(browser(), url, UKRAINIAN)
  await sender.getByText(/^Одне відео/).waitFor()
  const clip = await makeClip(folder, { name: 'sent.mp4', seconds: 1, audio: false })
  await chooseFiles(sender, /^Вибрати файл/, [clip])
  // The focus moves to the button that sends the file.
  await sender.getByRole('button', { name: 'Надіслати цей файл' }).waitFor()
  await expect.poll(() => sender.evaluate(FOCUSED)).toBe('Надіслати цей файл')
  await sender.keyboard.press('Enter')
  await sender.getByText('Файл оброблено').waitFor({ timeout: 60_000 })

  await press(owner, /^Усі посилання$/)
  expect((await sharp(await download(owner)).metadata()).width).toBe(320)
})
