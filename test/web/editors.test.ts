import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { decodeFrames, findFrame } from '../support/probe-media.ts'
import { chooseFiles, openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

/** Opens a tool with one file, as a visitor. */
async function openTool(tool: string, file: string): Promise<Page> {
  // Colors that still change to the other theme would count as poor contrast.
  const options = { reducedMotion: 'reduce' } as const
  const page = await openWebPage(browser(), `${system.api_url}/studio/${tool}`, options)
  await chooseFiles(page, [file])
  return page
}

/** A handle of the timeline, or of a selection, which itself is a group around its handles. */
function handleOf(page: Page, name: string) {
  const find = (role: 'slider' | 'button' | 'group') => page.getByRole(role, { name, exact: true })
  return find('slider').or(find('button')).or(find('group'))
}

async function press(page: Page, handle: string, key: string, count: number): Promise<void> {
  await handleOf(page, handle).focus()
  for (let time = 0; time < count; time++) await page.keyboard.press(key)
}

/** Starts the tool and downloads its result. */
async function runToFile(page: Page, extension: string): Promise<string> {
  await page.getByRole('button', { name: /^Start/ }).click()
  const download = page.getByRole('link', { name: new RegExp(`\\.${extension}`) }).first()
  const url = await download.getAttribute('href', { timeout: 60_000 })
  const response = await fetch(new URL(url ?? '', system.api_url))
  const file = join(folder, `${crypto.randomUUID()}.${extension}`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
  return file
}

const textIn = (page: Page, field: string) => page.getByRole('textbox', { name: field }).inputValue()

test('a trim by the keys of the timeline has exactly the chosen frames', async () => {
  const clip = await makeClip(folder, { name: 'numbered.mp4', seconds: 4 })
  const page = await openTool('video/trim', clip)
  const start = page.getByRole('slider', { name: 'Start of the clip' })
  await start.waitFor()
  await press(page, 'Start of the clip', 'ArrowRight', 13)
  await press(page, 'End of the clip', 'PageDown', 2)
  await press(page, 'End of the clip', 'ArrowLeft', 10)
  expect(await start.getAttribute('aria-valuetext')).toBe('0:00.520, frame 13')
  expect([await textIn(page, 'Start'), await textIn(page, 'Duration')]).toEqual(['0:00.52', '0:01.08'])
  await expectAccessible(page, 'trim')
  const frames = await decodeFrames(await runToFile(page, 'mp4'))
  const source = await decodeFrames(clip)
  expect(frames).toHaveLength(27)
  expect([findFrame(source, frames[0]), findFrame(source, frames.at(-1))]).toEqual([13, 39])
})

test('the frame of a cover is also the one on which its text is placed', async () => {
  const clip = await makeClip(folder, { name: 'cover.mp4', seconds: 2, audio: false })
  const page = await openTool('video/cover', clip)
  const frame = page.getByRole('slider', { name: 'Frame' })
  await frame.focus()
  for (let time = 0; time < 13; time++) await page.keyboard.press('ArrowRight')
  // The first video is the one in the list of files.
  const times = "Array.from(document.querySelectorAll('main video'), (video) => video.currentTime)"
  await expect.poll(() => page.evaluate(times)).toEqual([expect.any(Number), 0.54, 0.521])
})

/** Returns how much of its height the waveform of the timeline fills at places of its visible width. */
async function drawnHeights(page: Page, places: readonly number[]): Promise<number[]> {
  const { data, info } = await sharp(await page.locator('[inert]').screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const heightOf = (column: number) =>
    Array.from(
      { length: info.height },
      (_, row) => data[(row * info.width + column) * info.channels] ?? 255,
    ).filter((brightness) => brightness < 160).length / info.height
  // Beside a gap, there are two columns of a bar.
  return places.map((place) =>
    Math.max(...[0, 1].map((more) => heightOf(Math.floor(place * info.width) + more))),
  )
}

test('the timeline shows the audio of a long video, also zoomed, and none of a silent one', {
  tags: ['extended'],
}, async () => {
  // Silent for its first half.
  const audio = 'aevalsrc=if(gte(t\\,100)\\,sin(2765*t)\\,0)'
  const long = await makeClip(folder, { name: 'long.mp4', seconds: 200, size: '64x36', audio })
  const page = await openTool('video/trim', long)
  await page.locator('[inert] canvas').first().waitFor()
  expect((await drawnHeights(page, [0.4, 0.6])).map(Math.round)).toEqual([0, 1])
  // Zooming shows the first handle in the middle.
  await page.getByRole('textbox', { name: 'Start' }).fill('1:40')
  for (let time = 0; time < 3; time++) await page.getByRole('button', { name: 'Zoom in' }).click()
  expect((await drawnHeights(page, [0.4, 0.6])).map(Math.round)).toEqual([0, 1])
  await page.getByRole('button', { name: /^Remove .long/ }).click()
  await chooseFiles(page, [await makeClip(folder, { name: 'mute.mp4', seconds: 1, audio: false })])
  await page.locator('[data-silent]').waitFor()
  expect((await drawnHeights(page, [0.4, 0.6])).map(Math.round)).toEqual([0, 0])
})

test('a crop by handles keeps exactly the selected pixels', async () => {
  const [width, height] = [120, 90]
  const noise = Buffer.from(makeNoise(width * height * 3))
  const file = join(folder, 'noise.png')
  await sharp(noise, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file)
  const page = await openTool('image/crop', file)
  await handleOf(page, 'Left edge').waitFor()
  // The largest square is 90 pixels wide, from the 15th pixel on.
  await press(page, 'Left edge', 'ArrowRight', 7)
  await press(page, 'Bottom edge', 'ArrowUp', 5)
  await press(page, 'Selected area', 'ArrowDown', 3)
  await handleOf(page, 'Top left corner').hover()
  await page.mouse.down()
  await page.mouse.move(0, 0)
  await page.mouse.up()
  await press(page, 'Left edge', 'ArrowRight', 4)
  await press(page, 'Top edge', 'ArrowDown', 2)
  const area = { left: 4, top: 2, width: 101, height: 86 }
  for (const [label, value] of [
    ['Left edge', area.left],
    ['Top edge', area.top],
    ['Width', area.width],
    ['Height', area.height],
  ] as const) {
    expect([label, await page.getByRole('spinbutton', { name: label }).inputValue()]).toEqual([
      label,
      String(value),
    ])
  }
  await expectAccessible(page, 'crop')
  const cropped = await sharp(await runToFile(page, 'png'))
    .removeAlpha()
    .raw()
    .toBuffer()
  const expected = await sharp(file).extract(area).removeAlpha().raw().toBuffer()
  expect(cropped.equals(expected)).toBe(true)
})

/** Bytes that differ from their neighbors, the same in every run. */
function makeNoise(length: number): number[] {
  return Array.from({ length }, (_, index) => (index * 7919 + (index >> 3) * 104_729) % 256)
}

test('a crop keeps its aspect ratio, and the numbers set the selection', async () => {
  const file = join(folder, 'plain.png')
  await sharp({ create: { width: 160, height: 120, channels: 3, background: 'teal' } })
    .png()
    .toFile(file)
  const page = await openTool('image/crop', file)
  await handleOf(page, 'Left edge').waitFor()
  await page.getByRole('checkbox', { name: 'Keep the aspect ratio' }).check()
  await handleOf(page, 'Left edge').waitFor({ state: 'hidden' })
  await press(page, 'Bottom right corner', 'Shift+ArrowLeft', 3)
  const number = (label: string) => page.getByRole('spinbutton', { name: label })
  expect([await number('Width').inputValue(), await number('Height').inputValue()]).toEqual(['90', '90'])
  await number('Width').fill('40')
  await page.getByText('20 px from the left, 0 px from the top, 40 × 90 px').waitFor({ state: 'attached' })
})

test('a circle is moved and resized by keys', async () => {
  const file = join(folder, 'wide.png')
  await sharp({ create: { width: 200, height: 100, channels: 3, background: 'teal' } })
    .png()
    .toFile(file)
  const page = await openTool('image/circle', file)
  await handleOf(page, 'Selected area').waitFor()
  await press(page, 'Bottom right corner', 'ArrowLeft', 20)
  await press(page, 'Selected area', 'Shift+ArrowRight', 1)
  await page.getByText('60 px from the left, 0 px from the top, 80 × 80 px').waitFor({ state: 'attached' })
  await expectAccessible(page, 'circle')
})

test('subtitles are written beside the video, and become its subtitles_text', async () => {
  const clip = await makeClip(folder, { name: 'silent.mp4', seconds: 2, audio: false })
  const page = await openTool('video/subtitles', clip)
  await page.getByRole('button', { name: 'Add a subtitle' }).click()
  const text = page.getByRole('textbox', { name: 'Text of no. 1' })
  await text.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Hello')
  await page.getByRole('textbox', { name: 'End of no. 1' }).fill('0:01.5')
  expect(await textIn(page, 'Subtitle text')).toBe('1\n00:00:00,000 --> 00:00:01,500\nHello\n')
  await expectAccessible(page, 'subtitles')
})
