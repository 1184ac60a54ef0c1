import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../../dev/client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { openAccount } from '../support/accounts.ts'
import { useChromium } from '../support/chromium.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { run, runToResult, upload } from '../support/jobs.ts'
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

  await page.getByRole('button', { name: 'Delete' }).click()
  await expectAccessible(page, 'deleting a job')
  await page.getByRole('button', { name: 'Delete the job' }).click()
  await page.waitForURL((url) => url.pathname === '/jobs')
  await row.waitFor()
  expect(await row.count()).toBe(1)
})

test('the list names all steps of a chain and the file of a failed job, in the language of the page', async () => {
  const { client, credentials } = await openAccount(system.api_url)
  const clip = await makeClip(folder, { name: 'steps.mp4', seconds: 1, audio: false })
  const operations = [{ operation_key: 'gif', params: {} }]
  await runToResult(client, 'video/trim', await upload(client, clip), { duration: 1, operations })
  const broken = join(folder, 'broken.mp4')
  await writeFile(broken, 'not a video')
  const failed = await run(client, 'video/compress', await upload(client, broken))
  expect(failed.status).toBe('failed')
  const login = await new Client(system.api_url).send('POST', '/api/v1/auth/login', credentials)
  const session = JSON.stringify(await login.json())

  // Without a session, the service does not show the job, which the console reports.
  const page = await openWebPage(
    browser(),
    `${system.api_url}/jobs/${failed.id}`,
    { locale: 'uk' },
    /status of 401/,
  )
  await page.getByRole('heading', { name: 'Увійдіть, щоб продовжити' }).waitFor()
  await page.evaluate(`localStorage.setItem('session', ${JSON.stringify(session)})`)
  await page.reload()
  await page.getByText(/^Файл не є придатним відео чи аудіо/).waitFor()
  await page.goto(`${system.api_url}/jobs`)
  await page.getByRole('link', { name: 'Обрізати відео → GIF з відео' }).waitFor()
  await page.getByText('broken.mp4').waitFor()
})
