import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { LEGAL_DOCUMENTS } from '../edge/legal/rules/documents.ts'
import { expectAccessible } from './support/accessibility.ts'
import type { Account } from './support/accounts.ts'
import { openOrder, useCustomers, waitForEmails, waitForOrderStatus } from './support/checkout.ts'
import { useChromium } from './support/chromium.ts'
import { listMarkupFaults } from './support/page-markup.ts'
import { openSandbox } from './support/payment-sandbox.ts'
import { openWebPage } from './support/web-page.ts'

/** The legal documents, and the page by which buyers withdraw from a purchase, in a browser. */
const system = inject('system')
const browser = useChromium()
const sandbox = openSandbox(system)
const openCustomer = useCustomers(system)

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

test.each(LEGAL_DOCUMENTS)('/%s is accessible, also on a phone and in the dark theme', async (document) => {
  const page = await openWebPage(browser(), `${system.api_url}/${document}`)
  expect(await listMarkupFaults(page)).toEqual([])
  await expectAccessible(page, document)
})

test('the documents work without scripts, and keep the language that was chosen', async () => {
  const options = { javaScriptEnabled: false, locale: 'uk' }
  const page = await openWebPage(browser(), `${system.api_url}/terms`, options)
  await heading(page, 'Умови користування')
  await page.getByRole('navigation', { name: 'Мова' }).getByRole('link', { name: 'Русский' }).click()
  await heading(page, 'Условия использования')
  await page.getByRole('navigation', { name: 'Документы' }).getByRole('link', { name: 'О продавце' }).click()
  await heading(page, 'О продавце')
  expect(await page.getAttribute('html', 'lang')).toBe('ru')
})

test('the pages of the web application lead to the documents, in the language that was chosen there', async () => {
  const page = await openWebPage(browser(), `${system.api_url}/sign-up`)
  await page.getByLabel('Language').selectOption('uk')
  await page.getByRole('main').getByRole('link', { name: 'умови' }).click()
  await heading(page, 'Умови користування')
  await page.goto(`${system.api_url}/status`)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Приватність' }).click()
  await heading(page, 'Повідомлення про приватність')
})

async function signIn(page: Page, { credentials }: Account): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByLabel('Password', { exact: true }).fill(credentials.password)
  await page.keyboard.press('Enter')
}

test('a buyer withdraws from a purchase in two steps, and gets an email', async () => {
  const account = await openCustomer()
  const { order_id } = await openOrder(account.client, { package_id: 1, provider: 'sandbox_card' })
  await sandbox.act(order_id, 'pay')
  await waitForOrderStatus(account.client, order_id, 'paid')
  const page = await openWebPage(browser(), `${system.api_url}/billing/withdraw`)
  await signIn(page, account)
  await page.getByText('Choose the purchase.').waitFor()
  await expectAccessible(page, 'withdraw-choose')
  await page.getByRole('main').getByRole('listitem').getByRole('link').click()
  await page.getByText(/^You can withdraw until /).waitFor()
  await page.getByRole('button', { name: 'Withdraw from contract here' }).click()
  await page.getByText('This is your declaration.').waitFor()
  await expectAccessible(page, 'withdraw-declaration')
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await page.getByText('We have received your withdrawal.').waitFor()
  await expectAccessible(page, 'withdraw-done')
  // The confirmation of the order, the acknowledgement of the withdrawal, and the outcome of the refund.
  const emails = await waitForEmails(system, account, 3)
  expect(emails.map(({ text }) => text).join('\n')).toContain(order_id)
})
