import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../../dev/client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { runToResult, upload } from '../support/jobs.ts'
import { openWebPage } from '../support/web-page.ts'

const system = inject('system')
const browser = useChromium()
const folder = makeTestFolder()

test('a job is found in the list, downloaded, and run again', async () => {
  const account = await openAccount(system.api_url)
  const clip = await makeClip(folder, { name: 'clip.mp4', seconds: 2 })
  const file_url = await upload(account.client, clip)
  const { job } = await runToResult(account.client, 'video/thumbnail', file_url, { format: 'png' })
  const login = await new Client(system.api_url).send('POST', '/api/v1/auth/login', account.credentials)
  const session = z
    .looseObject({ access_token: z.string(), expires_at: z.string() })
    .parse(await login.json())

  const page = await openWebPage(browser(), `${system.api_url}/status`)
  await page.getByText('Everything works.').waitFor()
  await expectAccessible(page, 'status')
  await page.evaluate(`localStorage.setItem('session', ${JSON.stringify(JSON.stringify(session))})`)
  await page.goto(`${system.api_url}/jobs`)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^Download: / }) })
  await row.waitFor()
  await expectAccessible(page, 'jobs')
  await page.getByText('Failed', { exact: true }).click()
  await page.getByText('No jobs like this').waitFor()
  await page.goBack()

  await page.goto(`${system.api_url}/jobs/${job.id}`)
  await page.getByText('2 bonuses').waitFor()
  const href = await page
    .getByRole('link', { name: /^Download/ })
    .first()
    .getAttribute('href')
  const downloaded = await fetch(new URL(href ?? '', system.api_url))
  expect([downloaded.status, downloaded.headers.get('content-type')]).toEqual([200, 'image/png'])
  await expectAccessible(page, 'job')

  await page.getByRole('button', { name: 'Run again' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(job.id))
  await page.getByRole('link', { name: job.id }).waitFor()
  await page
    .getByRole('link', { name: /^Download/ })
    .first()
    .waitFor()
})
