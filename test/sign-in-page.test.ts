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
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  if (account !== undefined) {
    const token = await readToken(account)
    await page.evaluate((text) => sessionStorage.setItem('access_token', text), token)
  }
  return page
}

async function readToken({ credentials }: Account): Promise<string> {
  const response = await new Client(system.api_url).send('POST', '/api/v1/auth/login', credentials)
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token
}

/** Starts a sign-in flow as a page on this origin does and signs in at the provider, which redirects the tab back. */
async function visitProvider(page: Page, name: string, options: { mode: 'login' | 'link'; next: string }) {
  const started = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/api/v1/auth/idp/start', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return response.text()
  }, options)
  await page.goto(z.object({ authorization_url: z.url() }).parse(JSON.parse(started)).authorization_url)
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
  test('is finished by the callback page', async () => {
    const account = await openAccount(system.api_url)
    const page = await openTab(account)
    await visitProvider(page, freshName(), { mode: 'link', next: '/' })
    await heading(page, 'The identity is linked')
    expect(await page.locator('#text').textContent()).toContain(account.credentials.email)
    expect(await readAccount(account)).toMatchObject({ idp_linked: true, has_password: true })
    await page.context().close()
  })

  test('redirects to the `next` of the flow', async () => {
    const account = await openAccount(system.api_url)
    const page = await openTab(account)
    await visitProvider(page, freshName(), { mode: 'link', next: '/health?linked=1' })
    await page.waitForURL(`${system.api_url}/health?linked=1`)
    await page.context().close()
  })

  test('without a session shows an error and does not use the code', async () => {
    const page = await openTab()
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await visitProvider(page, freshName(), { mode: 'link', next: '/' })
    await heading(page, 'The identity was not linked')
    expect(await page.locator('#text').textContent()).toContain('Sign in first')
    expect(sent.filter((path) => /idp.(callback|link)/.test(path))).toEqual([])
    await page.context().close()
  })
})

test('a sign-in survives a reload of the page', async () => {
  const page = await openTab()
  const name = freshName()
  await visitProvider(page, name, { mode: 'login', next: '/' })
  await heading(page, 'Welcome')
  await page.reload()
  await heading(page, 'You are signed in')
  expect(await page.locator('#text').textContent()).toContain(`${name}@localhost.test`)
  await page.context().close()
})

test.each([
  ['access_denied', 'did not allow'],
  ['<b>anything</b>', 'rejected'],
  ['constructor', 'rejected'],
])('the error %s is shown with our own text', async (error, words) => {
  const page = await browser().newPage()
  await page.goto(`${CALLBACK}?${new URLSearchParams({ error, error_description: 'Call 0800 for help' })}`)
  await heading(page, 'You are not signed in')
  const text = await page.locator('body').textContent()
  expect(text).toContain(words)
  expect(text).not.toMatch(/0800|anything/)
  await page.close()
})
