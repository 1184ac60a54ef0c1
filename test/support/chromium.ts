import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
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

/** Longer than the default of 30 s, which a busy machine exceeds, and shorter than the time of a test. */
const TIMEOUT_MS = 100_000

const OPTIONS = { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: QUIET }

const test = base
  .extend('options', { scope: 'worker' }, OPTIONS)
  .extend('browser', { scope: 'worker' }, async ({ options }, { onCleanup }) => {
    const browser = patient(await chromium.launch(options))
    onCleanup(() => browser.close())
    return browser
  })
  // Each file has a page of its own, without the session and the settings that another file left.
  .extend('page', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
    const page = await browser.newPage()
    onCleanup(() => page.context().close())
    return page
  })

/** Opens all pages without motion, so that no test meets a color or a place that still changes. */
function patient(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  return Object.assign(browser, {
    newContext: async (options: BrowserContextOptions = {}) => {
      const context = await newContext({ reducedMotion: 'reduce', ...options })
      context.setDefaultTimeout(TIMEOUT_MS)
      return context
    },
  })
}

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
