import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** On a busy machine, a page that takes a second to load takes a minute. The time of the test is the real limit. */
const WAIT_MS_MAX = 100_000

/**
 * Opens a page of the web application as a new visitor. The test fails if the page reports an error, which includes
 * violations of its Content-Security-Policy.
 */
export async function openWebPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', ...options })
  context.setDefaultTimeout(WAIT_MS_MAX)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  await page.goto(url)
  return page
}

/** Adds files to the studio. */
export async function chooseFiles(page: Page, files: string[]): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(files)
}
