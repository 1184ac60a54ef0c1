import type { ConsoleMessage } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { expectAccessible } from './support/accessibility.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { usePage } from './support/chromium.ts'
import { execute } from './support/credentials.ts'

/**
 * The pages outside of the documentation: accessible in both themes, on phones and desktops, and under their strict
 * policy. test/renewals.test.ts checks the page of a renewal that can be canceled.
 */
const system = inject('system')
const shared = usePage()
/** Errors in the console, which include policy violations. */
const faults: string[] = []
let account: Account
let upload_url: string

beforeAll(async () => {
  account = await openAccount(system.api_url)
  const body = {
    service_slug: 'video',
    operation_key: 'thumbnail',
    params: { format: 'png' },
    note: 'The clip of Saturday, please.',
  }
  const response = await account.client.send('POST', '/api/v1/upload-sessions', body)
  upload_url = z.object({ upload_url: z.url() }).parse(await response.json()).upload_url
})

const onConsole = (message: ConsoleMessage) => {
  // Pages read some refusals, such as that of an unknown link.
  if (message.type() === 'error' && !/status of 40[149]/.test(message.text())) faults.push(message.text())
}
const onError = (error: Error) => faults.push(error.message)

beforeEach(() => {
  shared().on('console', onConsole).on('pageerror', onError)
})

afterEach(async () => {
  shared().off('console', onConsole).off('pageerror', onError)
  await shared().emulateMedia({ colorScheme: null })
  expect(faults.splice(0)).toEqual([])
})

/** Opens an address and waits until its page shows a text. A change of only the fragment would not load a page. */
async function open(address: string, text: string): Promise<void> {
  await shared().goto('about:blank')
  await shared().goto(new URL(address, system.api_url).href)
  await shared().getByText(text).first().waitFor()
}

test.each([
  ['the sign-in', '/sign-in', 'Forgot your password?'],
  ['a new account', '/sign-up', 'Create the account'],
  ['a forgotten password', '/forgot-password', 'Send the link'],
  ['an account without a sign-in', '/account', 'Sign in to continue'],
  ['an unknown job', '/jobs/00000000-0000-4000-8000-000000000000', 'Sign in to continue'],
  ['no sign-in', '/auth/callback', 'Start the sign-in again.'],
  ['a refused sign-in', '/auth/callback?error=access_denied', 'You did not allow'],
  ['a password reset', '/auth/reset-password#token', 'Set the password'],
  ['a password reset in Ukrainian', '/auth/reset-password?lang=uk#token', 'Задати пароль'],
  ['a password reset without a token', '/auth/reset-password', 'This link is unknown'],
  ['the return from the checkout', '/billing/return', 'Open your account'],
  ['the return with an order number', `/billing/return?order_id=${'0f'.repeat(32)}`, 'Order number'],
  ['an unknown renewal', '/billing/cancel-renewal#nobody', 'This link is not valid.'],
  ['the payment method without a sign-in', '/billing/payment-method', 'Sign in to continue'],
  ['the payment method in Ukrainian', '/billing/payment-method?lang=uk', 'Увійдіть, щоб продовжити'],
  ['a withdrawal without a sign-in', '/billing/withdraw', 'Sign in to continue'],
  ['an unknown unsubscribe link', '/unsubscribe/nobody/jobs', 'This link is not valid.'],
  ['an unknown upload link', '/send#nobody', 'Upload link not found'],
  ['a truncated upload link', '/send', 'Part of the URL is missing.'],
  ['an unknown upload link in Ukrainian', '/send?lang=uk#nobody', 'не приймає файли'],
])('the page is accessible: %s', async (name, address, text) => {
  await open(address, text)
  await expectAccessible(shared(), name.replaceAll(' ', '-'))
})

test('the payment method is accessible in Ukrainian, also to an account without a plan', async () => {
  await shared().goto(new URL('/status', system.api_url).href)
  const session = { access_token: account.client.token, expires_at: '2100-01-01T00:00:00Z' }
  await shared().evaluate((text) => localStorage.setItem('session', text), JSON.stringify(session))
  await open('/billing/payment-method?lang=uk', 'Спосіб оплати вашого тарифу зберігає платіжна система.')
  await expectAccessible(shared(), 'payment-method')
  await shared().getByRole('button', { name: 'Відкрити сторінку платіжної системи' }).click()
  await shared().getByRole('alert').waitFor()
  await expectAccessible(shared(), 'payment-method-refused')
  await shared().evaluate(() => localStorage.removeItem('session'))
})

test('the unsubscribe page is accessible before and after it is confirmed', async () => {
  const token = crypto.randomUUID()
  const sql = 'INSERT INTO email_preferences (account_id, unsubscribe_token, notified_at) VALUES (?, ?, 0)'
  await execute(system.database_url, sql, [account.id, token])
  await open(`/unsubscribe/${token}/jobs`, 'Stop emails about your finished jobs?')
  await expectAccessible(shared(), 'unsubscribe')
  await shared().getByRole('button', { name: 'Unsubscribe' }).click()
  await shared().getByText('You are unsubscribed.').waitFor()
  await expectAccessible(shared(), 'unsubscribed')
})

describe('the page of an upload link is accessible', () => {
  const choose = (name: string, mimeType: string) =>
    shared()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType, buffer: Buffer.alloc(5000, 7) })

  test('before a file is chosen, with a file of another type, and with an accepted one', async () => {
    await open(upload_url, 'Choose a file')
    await expectAccessible(shared(), 'upload-link')
    await choose('still.png', 'image/png')
    await shared().getByText('is not accepted').waitFor()
    await expectAccessible(shared(), 'upload-refused')
    const empty = { name: 'nothing.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(0) }
    await shared().locator('input[type=file]').setInputFiles(empty)
    await shared()
      .getByText(/nothing\.mp4.* is empty\. Choose another file\./)
      .waitFor()
    await expectAccessible(shared(), 'upload-empty')
    await choose('holiday.mp4', 'video/mp4')
    await shared().getByText('Send this file').waitFor()
    await expectAccessible(shared(), 'upload-chosen')
  })

  test('while it sends a file, and when the file has failed', async () => {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const storage = '**/cdn-cgi/local/r2/**'
    await shared().route(storage, async (route) => {
      reached.resolve()
      await released.promise
      await route.continue()
    })
    await open(upload_url, 'Choose a file')
    await choose('holiday.mp4', 'video/mp4')
    await shared().getByRole('button', { name: 'Send this file' }).click()
    await reached.promise
    await expectAccessible(shared(), 'upload-sending')
    released.resolve()
    await shared().getByRole('heading', { name: 'Something went wrong' }).waitFor()
    await expectAccessible(shared(), 'upload-failed')
    await shared().unroute(storage)
  })
})
