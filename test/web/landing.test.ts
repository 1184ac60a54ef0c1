import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { usePage } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'

const system = inject('system')
const folder = makeTestFolder()
const shared = usePage()
/** Script errors and policy violations. */
const faults: string[] = []
const onError = (error: Error) => faults.push(error.message)

beforeEach(() => {
  shared().on('pageerror', onError)
})

afterEach(async () => {
  shared().off('pageerror', onError)
  await shared().evaluate('localStorage.clear()')
  await shared().goto('about:blank')
  await shared().emulateMedia({ colorScheme: null })
  expect(faults.splice(0)).toEqual([])
})

const heading = (name: string) => shared().getByRole('heading', { name }).waitFor()

/** Opens the landing page, whose texts are there before its script runs, and waits for what the script adds. */
async function openLanding(): Promise<void> {
  await shared().goto(system.api_url)
  await shared().getByRole('link', { name: 'Compress video' }).waitFor()
}

test('the landing page shows operations and prices, and is accessible', async () => {
  await shared().goto(system.api_url)
  await heading('Compress, convert and cut videos and images')
  await shared().getByRole('link', { name: 'Compress video' }).waitFor()
  await shared().getByText('2 bonuses for the first minute').waitFor()
  await shared().getByText('USD 2.00').waitFor()
  await expectAccessible(shared(), 'landing')
})

test('the landing page speaks Ukrainian', async () => {
  await shared().goto(`${system.api_url}/?lang=uk`)
  await heading('Стискайте, конвертуйте й монтуйте відео та зображення')
  await shared().getByRole('link', { name: 'Стиснути відео' }).waitFor()
  await shared().getByText('2 бонуси за першу хвилину').waitFor()
  await expectAccessible(shared(), 'landing-uk')
})

test('the control of the browser stays hidden behind its label when it has the focus', async () => {
  await openLanding()
  const input = shared().getByLabel('Choose files')
  await input.focus()
  expect((await input.boundingBox())?.width).toBe(1)
  const outline = await shared().evaluate(
    'getComputedStyle(document.activeElement.nextElementSibling).outlineStyle',
  )
  expect(outline).toBe('solid')
})

test('the divider between before and after moves by keyboard', async () => {
  await openLanding()
  const divider = shared().getByRole('slider', { name: 'Divider between before and after' })
  await divider.focus()
  await divider.press('ArrowRight')
  await divider.press('ArrowRight')
  expect(await divider.getAttribute('aria-valuetext')).toBe('60% of the width shows before')
  await divider.press('Home')
  expect(await divider.getAttribute('aria-valuetext')).toBe('0% of the width shows before')
})

test('files that are dropped on the landing page are in the studio', async () => {
  const clip = await readFile(await makeClip(folder, { name: 'holiday.mp4', seconds: 1 }), 'base64')
  await openLanding()
  const dataTransfer = await shared().evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${clip}'), (character) => character.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'holiday.mp4', { type: 'video/mp4' }))
    transfer.items.add(new File(['a'], 'notes.txt', { type: 'text/plain' }))
    transfer.items.add(new File([], 'nothing.mp4', { type: 'video/mp4' }))
    return transfer
  })()`)
  await shared().dispatchEvent('main', 'drop', { dataTransfer })
  await shared().waitForURL('**/studio')
  await shared().getByText('holiday.mp4').first().waitFor()
  await shared().getByText('Not a video or an image that the tools accept: notes.txt').waitFor()
  await shared()
    .getByText(/^Empty, with no bytes at all: nothing\.mp4/)
    .waitFor()
})

test('an operation on the landing page opens in the studio', async () => {
  await shared().goto(system.api_url)
  await shared().getByRole('link', { name: 'Compress video' }).click()
  await shared().waitForURL('**/studio/video/compress')
  await heading('Compress video')
})
