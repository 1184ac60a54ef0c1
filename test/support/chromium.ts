import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { test as base } from 'vitest'

/** What keeps a browser from asking anything of anybody but the pages it is shown. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const OPTIONS = { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: QUIET }

const test = base
  .extend('options', { scope: 'worker' }, OPTIONS)
  .extend('browser', { scope: 'worker' }, async ({ options }, { onCleanup }) => {
    const browser = await chromium.launch(options)
    onCleanup(() => browser.close())
    return browser
  })
  .extend('page', { scope: 'worker' }, ({ browser }) => browser.newPage())

/** The system's own Chromium, started once for all files that need it. */
export function useChromium(): () => Browser {
  let given: Browser | null = null
  test.beforeAll(({ browser }) => {
    given = browser
  })
  return () => {
    if (given === null) throw new Error('the browser has not started')
    return given
  }
}

/** One page for all that is done in passing: a fresh one costs a process, and far more time than its use. */
export function usePage(): () => Page {
  let given: Page | null = null
  test.beforeAll(({ page }) => {
    given = page
  })
  return () => {
    if (given === null) throw new Error('the page is not open')
    return given
  }
}

/** Opens a page of our own at an address of a site: its HTML around a script that is bundled for browsers. */
export async function openPage(browser: Browser, url: string, html: string, script: string): Promise<Page> {
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, format: 'iife', write: false })
  const code = outputFiles[0]?.text ?? ''
  const page = await browser.newPage()
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(url)
  await page.addScriptTag({ content: code })
  return page
}
