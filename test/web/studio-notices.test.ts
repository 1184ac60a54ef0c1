import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { spendCredits } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { makePhotos } from '../support/photos.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

test('refused files are named above the list, and no name reverses the interface', async () => {
  const [photo = ''] = await makePhotos(join(folder, 'refused'), 1)
  const page = await openWebPage(browser(), `${system.api_url}/studio`)
  await chooseFiles(page, [photo])
  await page.getByText('photo-1.png').first().waitFor()
  await page.getByLabel('Choose files').setInputFiles({
    ...{ name: 'notes\u202Efdp.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
  })
  const alert = page.getByRole('alert').filter({ hasText: 'Not a video or an image that the tools accept:' })
  await alert.waitFor()
  expect(await alert.locator('bdi').textContent()).toBe('notes\u202Efdp.txt')
  const [above, list] = await Promise.all([
    alert.boundingBox(),
    page.getByRole('region', { name: 'Files' }).getByRole('list').boundingBox(),
  ])
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(list?.y ?? 0)
})

test('a visitor learns which videos are too long without an account', { tags: ['extended'] }, async () => {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const long = {
    name: 'long.mp4',
    seconds: 602,
    size: '32x32',
    audio: false,
    codecs: ['-r', '1', ...h264],
  } as const
  const short = { name: 'short.mp4', seconds: 1, size: '32x32', audio: false } as const
  const clips = await Promise.all([makeClip(folder, long), makeClip(folder, short)])
  const page = await openWebPage(browser(), `${system.api_url}/studio`)
  await chooseFiles(page, clips)
  const alert = page.getByRole('alert').filter({ hasText: 'Longer than allowed without an account (10:00):' })
  await alert.waitFor()
  expect(await alert.locator('bdi').allTextContents()).toEqual(['long.mp4'])
  expect(await alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/sign-in')
  await page.getByRole('button', { name: /^Remove .long\.mp4/ }).click()
  await alert.waitFor({ state: 'detached' })
})

test('a start that the balance does not cover is refused with its reason', async () => {
  const photos = await makePhotos(join(folder, 'unpaid'), 2)
  const { id, client, credentials } = await openAccount(system.api_url)
  const balance = (await client.ledger()).reduce((sum, { amount }) => sum + amount, 0)
  // Each file costs 2 at the start.
  await spendCredits(system.database_url, id, balance - 2)
  const login = await client.send('POST', '/api/v1/auth/login', credentials)
  const page = await openWebPage(browser(), `${system.api_url}/status`)
  await page.evaluate(
    `localStorage.setItem('session', ${JSON.stringify(JSON.stringify(await login.json()))})`,
  )
  await page.goto(`${system.api_url}/studio/image/resize`)
  await chooseFiles(page, photos)
  await page.getByText('You need 2 bonuses more to start.').waitFor()
  const start = page.getByRole('button', { name: 'Start', description: /^You need 2 bonuses more/ })
  expect(await start.getAttribute('aria-disabled')).toBe('true')
  await start.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Remove .photo-2\.png/ }).click()
  await page.getByText('You need 2 bonuses more to start.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('link', { name: /^Download photo-1/ }).waitFor()
})

test('Escape closes the menu of a phone and returns the focus to its button', async () => {
  const page = await openWebPage(browser(), system.api_url, { viewport: { width: 390, height: 800 } })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.getByRole('link', { name: 'Docs' }).first().focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
  expect(await menu.evaluate('document.activeElement.ariaLabel')).toBe('Menu')
})

test('a file of a type that no tool accepts is refused before it is sent', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/studio`)
  await page.getByLabel('Choose files').setInputFiles({
    ...{ name: 'logo.eps', mimeType: 'application/postscript', buffer: Buffer.from('%!PS') },
  })
  await page.getByRole('alert').filter({ hasText: 'that the tools accept: logo.eps' }).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'logo.eps' }).count()).toBe(0)
})

test('an upload that was refused for good is not sent again by a reload', async () => {
  const view = { viewport: { width: 360, height: 800 } }
  const page = await openWebPage(browser(), `${system.api_url}/studio`, view, /presign/)
  let presigns = 0
  page.on('request', (request) => {
    if (request.url().includes('presign')) presigns++
  })
  // The extension of a video, with a type that the service refuses.
  await page.getByLabel('Choose files').setInputFiles({
    ...{ name: 'clip.ts', mimeType: 'text/x-typescript', buffer: Buffer.from('a') },
  })
  const fault = page.getByText('No tool accepts files of this type.')
  await fault.waitFor()
  expect((await fault.boundingBox())?.width).toBeGreaterThan(250)
  const sent = presigns
  await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('file_type_not_allowed')
  await page.reload()
  await fault.waitFor()
  expect(presigns).toBe(sent)
})

test('all failed runs are started again at once', { tags: ['extended'] }, async () => {
  const [photo = ''] = await makePhotos(join(folder, 'failed'), 1)
  const bytes = await readFile(photo)
  const truncated = ['one.png', 'two.png'].map((name) => join(folder, name))
  for (const file of truncated) await writeFile(file, bytes.subarray(0, 40))
  const page = await openWebPage(browser(), `${system.api_url}/studio/image/resize`)
  await chooseFiles(page, [photo, ...truncated])
  await page.getByLabel('Width').first().fill('32')
  await page.getByRole('button', { name: /^Start/ }).click()
  const retry = page.getByRole('button', { name: 'Retry the failed (2)' })
  await retry.waitFor()
  await page.getByRole('link', { name: /^Download photo-1/ }).waitFor()
  const count = (name: string) => page.getByRole('button', { name, exact: true }).count()
  expect([await count('Try again'), await count('Run again')]).toEqual([2, 1])
  await retry.click()
  await expect.poll(() => count('Try again')).toBe(4)
  await retry.waitFor()
  expect(await count('Run again')).toBe(1)
})

test('a link that leads to no public page is refused in words for visitors', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/studio/video/link_info`, {}, /studio\/run/)
  const link = page.getByLabel('Or paste a link to a video')
  await link.fill('http://127.0.0.1:8787/x')
  await link.press('Enter')
  await page.getByRole('button', { name: /^Start/ }).click()
  await page.getByRole('alert').filter({ hasText: 'This link cannot be used.' }).waitFor()
  expect(await page.getByText('params.url').count()).toBe(0)
})
