import { type Browser, chromium, type Page } from 'playwright-core'
import { test as base } from 'vitest'

/** Flags that prevent the browser from sending requests on its own. */
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

/** Starts the installed Chromium once for all test files that need it. */
export function useChromium(): () => Browser {
  let shared: Browser | null = null
  test.beforeAll(({ browser }) => {
    shared = browser
  })
  return () => {
    if (shared === null) throw new Error('The browser has not started.')
    return shared
  }
}

/**
 * Shares one page for brief interactions, because a new page needs a new process and takes far longer to open than
 * to use.
 */
export function usePage(): () => Page {
  let shared: Page | null = null
  test.beforeAll(({ page }) => {
    shared = page
  })
  return () => {
    if (shared === null) throw new Error('The page is not open.')
    return shared
  }
}
