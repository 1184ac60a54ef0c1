/** @module-tag extended */

import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { useChromium } from '../support/chromium.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()

const PATHS = [
  '/',
  '/studio',
  '/studio/chain',
  '/studio/video/trim',
  '/studio/video/compress',
  '/studio/video/subtitles',
  '/studio/image/crop',
  '/studio/image/watermark',
  '/templates',
  '/upload-links',
  '/jobs',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/status',
]

/** What is the same in every language: names, formats, units and code. */
const UNTRANSLATED = [
  /^(Media Credits|Starter|Pro|Business)$/,
  /^(English|Українська|Русский)$/,
  /^[A-Z0-9. +/-]+$/,
  /^(curl|TypeScript|cURL|CLI|JSON|WebP|WebVTT|API)$/,
  /^[a-z0-9]+\/[a-z0-9]+$/,
]

/** Lists the texts and labels that the page shows. */
const TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('pre, code, noscript')) texts.push(walker.currentNode.data)
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    texts.push(element.ariaLabel, element.title, element.placeholder)
  }
  return [...new Set(texts.filter(Boolean).map((text) => text.trim()))]
})()`

async function readTexts(page: Page, path: string, language: string): Promise<string[]> {
  await page.goto(`${system.api_url}${path}?lang=${language}`)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  return (await page.evaluate(TEXTS)) as string[]
}

test('no page shows English texts in Ukrainian or Russian', async () => {
  const page = await openWebPage(browser(), system.api_url)
  const left: string[] = []
  for (const path of PATHS) {
    const english = await readTexts(page, path, 'en')
    for (const language of ['uk', 'ru']) {
      const texts = new Set(await readTexts(page, path, language))
      const same = english.filter((text) => texts.has(text) && /[a-z]{3}/i.test(text))
      const untranslated = same.filter((text) => !UNTRANSLATED.some((pattern) => pattern.test(text)))
      left.push(...untranslated.map((text) => `${path} ${language}: ${text}`))
    }
  }
  expect(left).toEqual([])
})
