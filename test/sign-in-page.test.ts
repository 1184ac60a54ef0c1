import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { useChromium } from './support/chromium.ts'

const system = inject('system')
const browser = useChromium()
const CALLBACK = `${system.api_url}/auth/callback`
const freshName = () => `p-${crypto.randomUUID()}`

/** Opens a tab in a new browser context, signed in to the account if one is given. */
async function openTab(account?: Account): Promise<Page> {
  const context = await browser().newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(CALLBACK)
  await heading(page, 'You are not signed in')
  if (account !== undefined) {
    const session = JSON.stringify(await signIn(account))
    await page.evaluate((text) => localStorage.setItem('session', text), session)
  }
  return page
}

async function signIn({ credentials }: Account) {
  const response = await new Client(system.api_url).send('POST', '/api/v1/auth/login', credentials)
  return z.object({ access_token: z.string(), expires_at: z.string() }).parse(await response.json())
}

/** Starts to link an account as a page on this origin does, and signs in at the provider. */
async function linkAtProvider(page: Page, next: string) {
  const started = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch('/api/v1/auth/idp/start', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return response.text()
    },
    { mode: 'link', next },
  )
  await page.goto(z.object({ authorization_url: z.url() }).parse(JSON.parse(started)).authorization_url)
  await signInAtProvider(page, freshName())
}

/** Signs in at the provider, which redirects the tab back. */
async function signInAtProvider(page: Page, name: string) {
  await page.locator('[name=login]').fill(name)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  // The provider's next page asks for consent.
  await page.locator('[name=login]').waitFor({ state: 'detached' })
  await page.locator('[type=submit]').click()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
const readAccount = async ({ client }: Account) => (await client.send('GET', '/api/v1/auth/me')).json()

describe('linking in a browser', () => {
  test('is finished by the callback page, which continues at the `next` of the flow', async () => {
    const account = await openAccount(system.api_url)
    const page = await openTab(account)
    await page.goto(`${system.api_url}/account/security`)
    await page.getByRole('button', { name: 'Link an identity' }).click()
    await signInAtProvider(page, freshName())
    await page.waitForURL(`${system.api_url}/account/security`)
    await page.getByText('The identity is linked.').waitFor()
    await page.getByRole('button', { name: 'Unlink' }).waitFor()
    expect(await readAccount(account)).toMatchObject({ idp_linked: true, has_password: true })
    await page.context().close()
  })

  test('without a session shows an error and does not use the code', async () => {
    const page = await openTab()
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await linkAtProvider(page, '/')
    await heading(page, 'The identity was not linked')
    await page.getByText('Sign in first').waitFor()
    expect(sent.filter((path) => /idp.(callback|link)/.test(path))).toEqual([])
    expect(new URL(page.url()).search).toBe('')
    await page.context().close()
  })
})

test('the account page lists the sessions, marks its own, and ends another one', async () => {
  const account = await openAccount(system.api_url)
  const page = await openTab(account)
  await page.goto(`${system.api_url}/account/security`)
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await sessions.getByText('This device').waitFor()
  const ends = sessions.getByRole('button', { name: /^End: .?node/ })
  expect([await sessions.getByRole('listitem').count(), await ends.count()]).toEqual([2, 1])
  await ends.click()
  await ends.waitFor({ state: 'detached' })
  await sessions.getByText('This device').waitFor()
  expect((await account.client.send('GET', '/api/v1/auth/me')).status).toBe(401)
  await page.context().close()
})

test('a sign-in at the provider returns to the page it began on, and survives a reload', async () => {
  const context = await browser().newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${system.api_url}/nowhere?kept=1`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
  await signInAtProvider(page, freshName())
  await page.waitForURL(`${system.api_url}/nowhere?kept=1`)
  await page.getByText('Your account is ready').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
  await context.close()
})

test.each([
  ['access_denied', 'did not allow'],
  ['<b>anything</b>', 'rejected'],
  ['constructor', 'rejected'],
])('the error %s is shown with our own text', async (error, words) => {
  const page = await browser().newPage()
  await page.goto(`${CALLBACK}?${new URLSearchParams({ error, error_description: 'Call 0800 for help' })}`)
  await heading(page, 'You are not signed in')
  await page.getByText(words).waitFor()
  const text = await page.locator('body').textContent()
  expect(text).not.toMatch(/0800|anything/)
  await page.close()
})
