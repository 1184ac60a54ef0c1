import { expect, inject, test } from 'vitest'
import { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { useChromium } from './support/chromium.ts'
import { waitForEmail } from './support/emails.ts'

const system = inject('system')
const browser = useChromium()
const NEW_PASSWORD = 'staple battery horse'

test('a forgotten password is replaced on the page that the emailed link opens', async () => {
  const { client, credentials } = await openAccount(system.api_url)
  const { email } = credentials
  const visitor = new Client(system.api_url)
  const requested = await visitor.send('POST', '/api/v1/auth/password/reset-request', { email })
  expect([requested.status, await requested.json()]).toEqual([202, { link_lives_seconds: 1800 }])
  const message = await waitForEmail(system.mail_url, email)
  const link = /https?:\S+\/auth\/reset-password\S+/.exec(message.text)?.[0] ?? ''
  expect(message.html).toContain(link.replaceAll('&', '&amp;'))

  const page = await (await browser().newContext()).newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('password123')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('This password is too common').waitFor()
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText(`The password of ${email} is set`).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  const token = await page.evaluate(() => sessionStorage.getItem('access_token'))
  visitor.token = token ?? ''
  expect((await visitor.send('GET', '/api/v1/auth/me')).status).toBe(200)
  expect((await client.send('GET', '/api/v1/auth/me')).status).toBe(401)

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('another password')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('This link is unknown, was already used, or has expired').waitFor()
  const login = (password: string) => new Client(system.api_url).login({ email, password })
  await login(NEW_PASSWORD)
  await expect(login(credentials.password)).rejects.toThrow()
})
