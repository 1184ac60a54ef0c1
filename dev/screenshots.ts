import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { z } from 'zod'
import { PAGE_PATHS } from '../edge/web-app/rules/paths.ts'
import { connect, signIn } from './demo/connect.ts'
import { makeAccountExamples, type PageExamples, VISITOR_EXAMPLES } from './screenshots/page-examples.ts'
import { ROOT } from './system/root.ts'

/**
 * `npm run screenshots`: photographs every page of the web application of the system that `npm start` runs, in both
 * themes, on a phone and on a desktop, as a visitor and as an administrator.
 */
const FOLDER = join(ROOT, '.data/screenshots')
const WIDTHS = [360, 1280]
const THEMES = ['light', 'dark'] as const
const SAMPLES = ['sample-photo-plain.webp', 'sample-clip-plain.mp4']

const Session = z.object({ access_token: z.string(), expires_at: z.string() })

const { api_url, admin } = await connect()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
try {
  const addresses = (examples: PageExamples) => PAGE_PATHS.flatMap((path) => examples[path] ?? [path])
  await photographAll(browser, 'visitor', null, [...addresses(VISITOR_EXAMPLES), '/no-such-page'])
  const media = await signIn(api_url, admin)
  await photographAll(browser, 'signed-in', await readSession(), addresses(await makeAccountExamples(media)))
} finally {
  await browser.close()
}
process.stdout.write(`Wrote screenshots to ${FOLDER}\n`)

async function readSession(): Promise<string> {
  const response = await fetch(`${api_url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  return JSON.stringify(Session.parse(await response.json()))
}

async function photographAll(
  browser: Browser,
  who: string,
  session: string | null,
  paths: readonly string[],
) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${api_url}/studio`)
  if (session !== null) await page.evaluate(`localStorage.setItem('session', ${JSON.stringify(session)})`)
  const samples = SAMPLES.map((name) => join(ROOT, 'docs/site/media', name))
  await page.getByLabel('Choose files').setInputFiles(samples)
  await page.getByText('Uploaded').nth(1).waitFor()
  for (const path of paths) {
    await page.goto(api_url + path)
    await page.waitForLoadState('networkidle')
    await photograph(page, `${who}${path.replace(/#.*/, '').replaceAll('/', '_')}`)
  }
  await page.context().close()
}

async function photograph(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
}
