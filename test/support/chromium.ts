import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'

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

/** The system's own Chromium. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: QUIET })
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
