import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import type { Client } from '../scripts/client.ts'
import { openAccount } from './support/accounts.ts'
import { openChromium } from './support/chromium.ts'
import { listLetters, waitForLetter } from './support/letters.ts'

const system = inject('system')

const Opened = z.object({ order_id: z.string(), redirect_url: z.url(), status: z.literal('waiting') })
const Orders = z.array(z.looseObject({ order_id: z.string(), status: z.string() }))
const CONSENT = { accept_documents: true, accept_immediate: true }

let browser: Browser
beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser.close())

async function order(client: Client, path: 'checkout' | 'subscribe', item: object) {
  const answer = await client.send('POST', `/api/v1/billing/${path}`, { ...CONSENT, ...item })
  expect(answer.status).toBe(200)
  return Opened.parse(await answer.json())
}

async function statusOf(client: Client, id: string): Promise<string | undefined> {
  const orders = Orders.parse(await (await client.send('GET', '/api/v1/billing/payments')).json())
  return orders.find(({ order_id }) => order_id === id)?.status
}

const settles = (client: Client, id: string, status: string) =>
  expect.poll(() => statusOf(client, id), { timeout: 30_000, interval: 100 }).toBe(status)

/** Presses one button of the checkout page. @returns where the browser is then. */
async function press(redirect_url: string, button: string, callbacks = 'once'): Promise<URL> {
  const page = await browser.newPage()
  try {
    await page.goto(redirect_url)
    await page.getByText('For tests: the callbacks').click()
    await page.selectOption('#callbacks', callbacks)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.waitForLoadState()
    return new URL(page.url())
  } finally {
    await page.close()
  }
}

describe('a person pays at the hosted page, in a browser', () => {
  test('for a bundle by card: credits, plan and letter are there, and the page thanks', async () => {
    const { client, credentials } = await openAccount(system.api_url)
    const item = { plan_id: 1, months: 3, package_id: 1, consent_locale: 'uk' }
    const { order_id, redirect_url } = await order(client, 'subscribe', item)
    expect(await client.balance()).toBe(20)
    const back = await press(redirect_url, 'Pay', 'twice')
    expect([back.origin, back.pathname]).toEqual([system.api_url, '/billing/return'])
    expect(back.searchParams.get('order_id')).toBe(order_id)
    await settles(client, order_id, 'paid')
    expect(await client.balance()).toBe(20 + 500 + 100)
    const letter = await waitForLetter(system.mail_url, credentials.email)
    expect(letter.subject).toBe(`Ваше замовлення ${order_id} оплачено`)
    expect(letter.text).toContain('Starter')
    expect(await client.verifyLedger()).toMatchObject({ ok: true })
  })

  test('after a card that was declined, on the same order', async () => {
    const { client } = await openAccount(system.api_url)
    const { order_id, redirect_url } = await order(client, 'checkout', { package_id: 1 })
    await press(redirect_url, 'Have the card declined')
    expect(await statusOf(client, order_id)).toBe('waiting')
    await press(redirect_url, 'Pay')
    await settles(client, order_id, 'paid')
    expect(await client.balance()).toBe(120)
  })

  test('too little in crypto, which is not credited; then the rest', async () => {
    const { client, credentials } = await openAccount(system.api_url)
    const item = { package_id: 1, provider: 'sandbox_crypto' }
    const { order_id, redirect_url } = await order(client, 'checkout', item)
    await press(redirect_url, 'Send too little')
    await settles(client, order_id, 'partially_paid')
    expect(await client.balance()).toBe(20)
    await press(redirect_url, 'Pay', 'twice')
    await settles(client, order_id, 'paid')
    expect(await client.balance()).toBe(120)
    await waitForLetter(system.mail_url, credentials.email)
    expect(await listLetters(system.mail_url, credentials.email)).toHaveLength(1)
  })

  test('never, as the checkout expires: nothing is granted', async () => {
    const { client } = await openAccount(system.api_url)
    const { order_id, redirect_url } = await order(client, 'checkout', { package_id: 1 })
    await press(redirect_url, 'Let it expire')
    await settles(client, order_id, 'expired')
    expect(await client.balance()).toBe(20)
  })
})
