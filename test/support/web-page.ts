import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** On a busy machine, a page that takes a second to load takes a minute. The time of the test is the real limit. */
const WAIT_MS_MAX = 100_000

/**
 * Opens a page of the web application as a new visitor. The test fails if the page reports an error, which includes
 * violations of its Content-Security-Policy.
 * @param ignored errors that the test expects
 */
export async function openWebPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  ignored?: RegExp,
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', ...options })
  context.setDefaultTimeout(WAIT_MS_MAX)
  const page = await context.newPage()
  const faults = collectPageErrors(page, ignored)
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  await page.goto(url)
  return page
}

/**
 * Collects what a page reports until the end of the test: errors of its scripts, and errors in its console, which
 * include violations of its Content-Security-Policy.
 */
export function collectPageErrors(page: Page, ignored?: RegExp): string[] {
  const errors: string[] = []
  const onError = ({ message }: Error) => errors.push(message)
  const onConsole = (message: ConsoleMessage) => {
    const text = `${message.text()} (${message.location().url})`
    if (message.type() === 'error' && !ignored?.test(text)) errors.push(text)
  }
  page.on('pageerror', onError).on('console', onConsole)
  onTestFinished(() => {
    page.off('pageerror', onError).off('console', onConsole)
  })
  return errors
}

/** Adds files to the studio. */
export async function chooseFiles(page: Page, files: string[]): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(files)
}
