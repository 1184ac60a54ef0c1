import { expect, inject, test } from 'vitest'
import { z } from 'zod'
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
  // The token leaves the address at once, and survives a reload.
  await page.getByLabel('New password', { exact: true }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.reload()
  await page.getByLabel('New password', { exact: true }).fill('password123')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Password is too common').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('new_password')
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText(`The password of ${email} is set`).waitFor()
  const session = await page.evaluate(() => localStorage.getItem('session'))
  visitor.token = z.object({ access_token: z.string() }).parse(JSON.parse(session ?? '')).access_token
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
