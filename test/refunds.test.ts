import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import type { Account } from './support/accounts.ts'
import {
  call,
  entriesOf,
  openOrder,
  passDays,
  press,
  refusalOf,
  showOrder,
  showTerm,
  useCustomers,
  waitForEmails,
  waitForOrderStatus,
} from './support/checkout.ts'
import { usePage } from './support/chromium.ts'
import { spendCredits } from './support/credits.ts'
import { openSandbox } from './support/payment-sandbox.ts'

const system = inject('system')
const sandbox = openSandbox(system)
const openCustomer = useCustomers(system)
const DAILY = 20

const page = usePage()
const admin = new Client(system.api_url)
beforeAll(async () => {
  await admin.login(system.admin)
  await sandbox.holdRefunds(true)
})
afterAll(async () => {
  await sandbox.holdRefunds(false)
})

const Refund = z.looseObject({
  id: z.string(),
  status: z.string(),
  amount_cents: z.int(),
  credits_removed: z.int(),
  reason: z.string(),
  note: z.string().nullable(),
  created_at: z.string(),
})
const Quote = z.looseObject({ amount_cents: z.int(), blocked: z.string(), eligible: z.boolean() })
const Withdrawal = z.looseObject({ id: z.string(), statement: z.string(), quote: Quote })

const quoteOf = ({ client }: Account, id: string) =>
  call(client, 'GET', `/api/v1/billing/payments/${id}/refund-quote`, Quote)
const askRefund = ({ client }: Account, id: string, note: string | null = null) =>
  call(client, 'POST', `/api/v1/billing/payments/${id}/refund`, Refund, { note })
const listRefunds = ({ client }: Account) => call(client, 'GET', '/api/v1/billing/refunds', z.array(Refund))
const decide = (id: string, decision: 'approve' | 'reject', note: string) =>
  call(admin, 'POST', `/api/v1/admin/refunds/${id}/${decision}`, Refund, { note })

/** Waits until an account's newest refund has this status. */
async function waitForRefundStatus(account: Account, status: string): Promise<void> {
  const read = async () => (await listRefunds(account))[0]?.status
  await expect.poll(read, { interval: 100 }).toBe(status)
}

async function buy(account: Account, item: object): Promise<string> {
  const { order_id } = await openOrder(account.client, item)
  await sandbox.act(order_id, 'pay')
  await waitForOrderStatus(account.client, order_id, 'paid')
  return order_id
}

/** Waits until the refund reaches the provider, then approves or rejects it on the sandbox's page. */
async function decideOnPage(order_id: string, button: 'Approve' | 'Reject'): Promise<void> {
  const statuses = async () => (await sandbox.show(order_id)).refunds.map(({ status }) => status)
  await expect.poll(statuses).toContain('pending_approval')
  const reference = (await sandbox.show(order_id)).payments[0]?.reference ?? ''
  await page().goto(`${system.payments_url}/refunds`)
  await page().locator(`tr[id="${reference}"]`).getByRole('button', { name: button }).click()
  await page().waitForLoadState()
}

/** Subjects of a customer's emails, as a set because their order can vary. */
const subjectsOf = async (account: Account, count: number) =>
  new Set((await waitForEmails(system, account, count)).map(({ subject }) => subject))

describe('Purchase rule 9: a card order is refunded through its provider', () => {
  test('returns the unspent share of the price, keeps the spent credits charged, and sends an email at each step', async () => {
    const account = await openCustomer()
    const { order_id: id, redirect_url } = await openOrder(account.client, { package_id: 2 })
    expect(await quoteOf(account, id)).toMatchObject({ blocked: 'not_settled', amount_cents: 0 })
    await press(page(), redirect_url, { button: 'Pay' })
    await waitForOrderStatus(account.client, id, 'paid')
    expect(await quoteOf(account, id)).toMatchObject({ amount_cents: 800, payout_manual: false })
    await spendCredits(system.database_url, account.id, DAILY + 125)
    expect(await quoteOf(account, id)).toMatchObject({
      amount_cents: 600,
      credits_returnable: 375,
      credits_spent: 125,
    })
    expect(await askRefund(account, id)).toMatchObject({ amount_cents: 600, credits_removed: 375 })
    expect(await account.client.balance()).toBe(0)
    await waitForRefundStatus(account, 'processing')
    await decideOnPage(id, 'Approve')
    await waitForRefundStatus(account, 'succeeded')
    expect(await showOrder(account.client, id)).toMatchObject({ status: 'partially_refunded' })
    expect(await entriesOf(account.client, id)).toEqual([
      ['purchase', 500],
      ['adjust', -375],
    ])
    expect((await sandbox.show(id)).refunds).toMatchObject([{ amount_cents: 600, status: 'approved' }])
    expect(await subjectsOf(account, 3)).toEqual(
      new Set([
        `Your order ${id} is paid`,
        `We received your refund request for order ${id}`,
        `Your refund for order ${id} is paid`,
      ]),
    )
  })

  test('restores credits, months and the end of the term when the provider rejects the refund', async () => {
    const account = await openCustomer()
    const id = await buy(account, { plan_id: 1, months: 3, package_id: 1 })
    const before = await showTerm(account.client)
    await askRefund(account, id)
    expect(await account.client.balance()).toBe(DAILY)
    await waitForRefundStatus(account, 'processing')
    await decideOnPage(id, 'Reject')
    await waitForRefundStatus(account, 'failed')
    expect(await account.client.balance()).toBe(DAILY + 600)
    expect(await showTerm(account.client)).toEqual(before)
    expect(await showOrder(account.client, id)).toMatchObject({ status: 'paid' })
    expect(await subjectsOf(account, 3)).toContain(`Your refund for order ${id} did not go through`)
  })

  test('repeated and concurrent requests create one refund', async () => {
    const account = await openCustomer()
    const id = await buy(account, { package_id: 1 })
    const path = `/api/v1/billing/payments/${id}/refund`
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        account.client.send('POST', path, {}, index % 2 === 0 ? headers : {}),
      ),
    )
    const refunds = await listRefunds(account)
    expect(refunds).toHaveLength(1)
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
    await waitForRefundStatus(account, 'processing')
    expect((await sandbox.show(id)).refunds).toHaveLength(1)
    await decideOnPage(id, 'Approve')
    await waitForOrderStatus(account.client, id, 'refunded')
    expect(await refusalOf(account.client, 'POST', path, {})).toEqual([409, 'fully_refunded'])
    expect((await sandbox.show(id)).refunds).toHaveLength(1)
  })

  test('a refused refund gets a 409 with an error code', async () => {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { package_id: 1 })
    const ask = (id: string) => refusalOf(account.client, 'POST', `/api/v1/billing/payments/${id}/refund`, {})
    expect(await ask(order_id)).toEqual([409, 'not_settled'])
    const id = await buy(account, { package_id: 1 })
    await askRefund(account, id)
    expect(await ask(id)).toEqual([409, 'already_open'])
    const old = await buy(account, { package_id: 1 })
    await passDays(system, account, 31)
    expect(await ask(old)).toEqual([409, 'window_closed'])
    const spent = await buy(account, { package_id: 1 })
    await spendCredits(system.database_url, account.id, 200)
    expect(await ask(spent)).toEqual([409, 'nothing_left'])
  })
})

describe('Purchase rule 9: a crypto order is refunded by hand', () => {
  const order = { package_id: 1, provider: 'sandbox_crypto', consent_locale: 'uk' }

  test('approval refunds the order and sends an email', async () => {
    const account = await openCustomer()
    const id = await buy(account, order)
    expect(await quoteOf(account, id)).toMatchObject({ payout_manual: true, amount_cents: 200 })
    const refund = await askRefund(account, id)
    expect(refund).toMatchObject({ status: 'awaiting_payout', credits_removed: 100 })
    expect(await account.client.balance()).toBe(DAILY)
    expect(await decide(refund.id, 'approve', 'sent')).toMatchObject({ status: 'succeeded' })
    expect(await showOrder(account.client, id)).toMatchObject({ status: 'refunded' })
    expect(await subjectsOf(account, 3)).toEqual(
      new Set([
        `Ваше замовлення ${id} оплачено`,
        `We received your refund request for order ${id}`,
        `Your refund for order ${id} is paid`,
      ]),
    )
    const again = `/api/v1/admin/refunds/${refund.id}/approve`
    expect(await refusalOf(admin, 'POST', again, {})).toEqual([409, 'refund_not_awaiting_payout'])
  })

  test('rejection restores the credits', async () => {
    const account = await openCustomer()
    const id = await buy(account, order)
    const refund = await askRefund(account, id)
    expect(await decide(refund.id, 'reject', 'no such address')).toMatchObject({ status: 'rejected' })
    expect(await account.client.balance()).toBe(DAILY + 100)
    expect(await showOrder(account.client, id)).toMatchObject({ status: 'paid' })
    expect(await subjectsOf(account, 3)).toContain(`Your refund for order ${id} did not go through`)
  })
})

describe('Purchase rule 11: a multi-month order', () => {
  test('a refund withdraws the future months, ends the term with the current month and cancels the mandate', async () => {
    const account = await openCustomer()
    const id = await buy(account, { plan_id: 1, months: 3, auto_renew: true, accept_recurring: true })
    const before = await showTerm(account.client)
    expect(before).toMatchObject({ months_total: 3, auto_renew: true })
    expect(await askRefund(account, id)).toMatchObject({ amount_cents: 1350, credits_removed: 500 })
    const after = await showTerm(account.client)
    expect(after).toMatchObject({
      months_total: 1,
      period_end: before?.next_grant_at,
      next_grant_at: null,
      auto_renew: false,
      renewal_status: 'cancelling',
    })
    const mandates = async () => (await sandbox.show(id)).mandates.map(({ status }) => status)
    await expect.poll(mandates).toEqual(['canceled'])
    await decideOnPage(id, 'Approve')
    await waitForOrderStatus(account.client, id, 'refunded')
    await passDays(system, account, 31)
    expect(await showTerm(account.client)).toBeNull()
    expect(await account.client.balance()).toBe(0)
    expect(await entriesOf(account.client, id)).toEqual([
      ['subscription', 500],
      ['adjust', -500],
    ])
  })
})

describe('Purchase rule 10: a withdrawal in two steps', () => {
  test('is stated, then confirmed, and the email contains the statement, the amount, the date and the time', async () => {
    const account = await openCustomer()
    const { client, credentials } = account
    const id = await buy(account, { plan_id: 1, months: 3 })
    const stated = await call(client, 'POST', `/api/v1/billing/payments/${id}/withdrawal`, Withdrawal)
    expect(stated.quote).toMatchObject({ amount_cents: 1350, reason: 'withdrawal', eligible: true })
    expect(stated.statement).toContain(`withdraw from my contract for Starter, order ${id}`)
    expect(stated.statement).toContain(credentials.email)
    expect(await client.balance()).toBe(DAILY + 500)
    const confirm = `/api/v1/billing/withdrawals/${stated.id}/confirm`
    const refund = await call(client, 'POST', confirm, Refund)
    expect(refund).toMatchObject({ reason: 'withdrawal', amount_cents: 1350, note: stated.statement })
    expect(await client.balance()).toBe(DAILY)
    expect((await call(client, 'POST', confirm, Refund)).id).toBe(refund.id)
    const emails = await waitForEmails(system, account, 2)
    const email = emails.find(({ subject }) => subject === `We received your withdrawal from order ${id}`)
    const at = new Date(refund.created_at)
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
    for (const part of [stated.statement, 'USD 13.50', day, refund.created_at.slice(11, 19)]) {
      expect(email?.text.replaceAll(/\s+/g, ' ')).toContain(part)
    }
    await decideOnPage(id, 'Approve')
    await waitForOrderStatus(client, id, 'refunded')
    expect(await subjectsOf(account, 3)).toContain(`Your refund for order ${id} is paid`)
  })

  test('gets a 409 after the statutory period, while the refund policy still applies', async () => {
    const account = await openCustomer()
    const id = await buy(account, { package_id: 1 })
    await passDays(system, account, 19)
    const path = `/api/v1/billing/payments/${id}/withdrawal`
    expect(await refusalOf(account.client, 'POST', path)).toEqual([409, 'window_closed'])
    expect(await askRefund(account, id)).toMatchObject({ reason: 'policy', amount_cents: 200 })
  })
})
