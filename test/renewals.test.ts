/** @module-tag extended */

import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { expectAccessible } from './support/accessibility.ts'
import type { Account } from './support/accounts.ts'
import {
  CONSENT,
  call,
  entriesOf,
  listOrders,
  openOrder,
  passDays,
  press,
  query,
  refusalOf,
  runScheduled,
  showTerm,
  useCustomers,
  waitForEmails,
  waitForOrderStatus,
} from './support/checkout.ts'
import { usePage } from './support/chromium.ts'
import { openSandbox } from './support/payment-sandbox.ts'

const system = inject('system')
const sandbox = openSandbox(system)
const openCustomer = useCustomers(system)
const DAILY = 20
const DAY_MS = 24 * 60 * 60 * 1000
const RENEWING = { auto_renew: true, accept_recurring: true }

const page = usePage()

/** Creates a customer with a paid plan that renews automatically. */
async function openSubscriber({ months = 1, button = 'Pay', ...more }: SubscriberOptions = {}) {
  const account = await openCustomer()
  const item = { plan_id: 1, months, ...RENEWING, ...more }
  const { order_id, redirect_url } = await openOrder(account.client, item)
  await press(page(), redirect_url, { button })
  await waitForOrderStatus(account.client, order_id, 'paid')
  const [mandate] = (await sandbox.show(order_id)).mandates
  return { account, order_id, mandate_url: `${system.payments_url}/mandates/${mandate?.id}` }
}
interface SubscriberOptions {
  months?: number
  button?: string
  consent_locale?: string
}

/** Waits until the term has this renewal status. */
async function waitForRenewalStatus({ client }: Account, status: string): Promise<void> {
  const read = async () => (await showTerm(client))?.renewal_status
  await expect.poll(read, { interval: 100 }).toBe(status)
}

async function waitForOrders({ client }: Account, count: number) {
  const read = async () => (await listOrders(client)).length
  await expect.poll(read, { interval: 100 }).toBe(count)
  return listOrders(client)
}

/** Lists the renewal statuses that an account's only term has had, in order. */
async function statesOf({ id }: Account): Promise<string[]> {
  const sql = `SELECT m.renewal_status AS state FROM subscription_moves m
    JOIN subscriptions s ON s.id = m.subscription_id WHERE s.account_id = ? ORDER BY m.number`
  const states = (await query(system, sql, [id])).map(({ state }) => String(state))
  return states.filter((state, index) => state !== states[index - 1])
}

const emailsOf = async (account: Account, count: number) =>
  (await waitForEmails(system, account, count)).map(({ subject }) => subject)

const mandateOf = async (id: string) => (await sandbox.show(id)).mandates[0]?.status

const addDays = (time: string | null | undefined, days: number) =>
  new Date(Date.parse(time ?? '') + days * DAY_MS).toISOString()

const CANCEL = '/api/v1/billing/subscription/cancel'

describe('Purchase rule 7: automatic renewal', () => {
  test('each charge of the mandate creates an order that extends the term once and sends an email', async () => {
    const { account, order_id, mandate_url } = await openSubscriber({ consent_locale: 'uk' })
    const first = await showTerm(account.client)
    expect(first).toMatchObject({
      auto_renew: true,
      renewal_status: 'active',
      renews_at: first?.period_end,
      renewal_amount_cents: 500,
      renewal_months: 1,
      can_cancel: true,
    })
    await press(page(), mandate_url, { button: 'Charge now' })
    const [charged] = await waitForOrders(account, 2)
    expect(charged).toMatchObject({
      status: 'paid',
      amount_cents: 500,
      extends_term: true,
      auto_renew: false,
    })
    expect(await showTerm(account.client)).toMatchObject({
      months_total: 2,
      months_granted: 1,
      period_end: addDays(first?.period_end, 30),
      renews_at: addDays(first?.renews_at, 30),
    })
    await passDays(system, account, 31)
    expect(await account.client.balance()).toBe(500)
    expect(await entriesOf(account.client, charged?.order_id ?? '')).toEqual([['subscription', 500]])
    const { events } = await sandbox.show(order_id)
    expect(new Set(await sandbox.resend(order_id, events))).toEqual(new Set([200]))
    expect(await listOrders(account.client)).toHaveLength(2)
    expect(await emailsOf(account, 2)).toEqual([
      `Ваше замовлення ${order_id} оплачено`,
      `Ваше замовлення ${charged?.order_id} оплачено`,
    ])
  })

  test('is refused without its own consent, by crypto, in a bundle, and while a paid term runs', async () => {
    const { client } = await openCustomer()
    const ask = (item: object) =>
      refusalOf(client, 'POST', '/api/v1/billing/subscribe', { ...CONSENT, plan_id: 1, ...RENEWING, ...item })
    expect(await ask({ accept_recurring: false })).toEqual([400, 'consent_required'])
    expect(await ask({ provider: 'sandbox_crypto' })).toEqual([409, 'recurring_unavailable'])
    expect(await ask({ package_id: 1 })).toEqual([409, 'recurring_unavailable'])
    const { order_id } = await openOrder(client, { plan_id: 1 })
    await sandbox.act(order_id, 'pay')
    await waitForOrderStatus(client, order_id, 'paid')
    expect(await ask({})).toEqual([409, 'recurring_unavailable'])
  })
})

describe('before a charge', () => {
  test.each([
    [1, 22, 24],
    [12, 329, 331],
  ])(
    'a term of %i months sends one renewal notice, not after %i days but after %i',
    async (months, early, due) => {
      const { account } = await openSubscriber({ months })
      await passDays(system, account, early)
      await runScheduled(system.api_url)
      await emailsOf(account, 1)
      await passDays(system, account, due - early)
      await runScheduled(system.api_url)
      expect(await emailsOf(account, 2)).toContain('Your plan Starter renews soon')
      await runScheduled(system.api_url)
      await emailsOf(account, 2)
    },
  )
})

describe('Purchase rule 8: canceling the renewal', () => {
  test('works through the link in an email, on a page in the language of the account, without a sign-in', async () => {
    const { account, order_id } = await openSubscriber({ consent_locale: 'uk' })
    const [email] = await waitForEmails(system, account, 1)
    const link = /https?:\S+\/billing\/cancel-renewal\S+/.exec(email?.text ?? '')?.[0] ?? ''
    await page().goto(link)
    const button = page().getByRole('button', { name: 'Скасувати поновлення' })
    await button.waitFor()
    expect(await page().locator('p[role=status]').textContent()).toMatch(/Starter.*5,00/)
    await expectAccessible(page(), 'renewal')
    await sandbox.act(order_id, 'fail_charge', 'once')
    await waitForRenewalStatus(account, 'past_due')
    await page().reload()
    await button.waitFor()
    expect(await page().locator('p[role=status]').textContent()).toMatch(/Starter не пройшов.*5,00/)
    await button.click()
    await waitForRenewalStatus(account, 'cancelling')
    await button.waitFor({ state: 'hidden' })
    expect(await page().locator('p[role=status]').textContent()).toMatch(/не поновлюється/)
  })

  test('active → cancelling → ended: only the mandate ends, and the paid months are granted', async () => {
    const { account, order_id } = await openSubscriber({ months: 3 })
    const before = await showTerm(account.client)
    const answer = await call(account.client, 'POST', CANCEL, z.looseObject({}))
    expect(answer).toEqual({
      auto_renew: false,
      renewal_status: 'cancelling',
      cancel_at_period_end: true,
      renews_at: null,
      period_end: before?.period_end,
      months_total: 3,
      can_cancel: false,
    })
    await expect.poll(() => mandateOf(order_id)).toBe('canceled')
    expect(await refusalOf(account.client, 'POST', CANCEL)).toEqual([409, 'not_recurring'])
    expect(await emailsOf(account, 2)).toContain('Your plan Starter no longer renews')
    await passDays(system, account, 61)
    expect(await account.client.balance()).toBe(500)
    expect(await showTerm(account.client)).toMatchObject({ months_granted: 3, renewal_status: 'cancelling' })
    await passDays(system, account, 30)
    await runScheduled(system.api_url)
    expect(await showTerm(account.client)).toBeNull()
    expect(await account.client.balance()).toBe(0)
    expect(await entriesOf(account.client, order_id)).toEqual(Array(3).fill(['subscription', 500]))
    await emailsOf(account, 2)
  })

  test('an account without a renewal gets a 409 not_recurring, as can_cancel says', async () => {
    const { client } = await openCustomer()
    expect(await refusalOf(client, 'POST', CANCEL)).toEqual([409, 'not_recurring'])
    const { order_id } = await openOrder(client, { plan_id: 1 })
    await sandbox.act(order_id, 'pay')
    await waitForOrderStatus(client, order_id, 'paid')
    expect(await showTerm(client)).toMatchObject({ renewal_status: 'off', can_cancel: false })
    expect(await refusalOf(client, 'POST', CANCEL)).toEqual([409, 'not_recurring'])
  })
})

describe('Subscription renewal states', () => {
  test('active → past_due → active: access continues without credits, and a successful charge grants them immediately', async () => {
    const { account, mandate_url } = await openSubscriber({ button: 'Pay, then let renewals fail' })
    await passDays(system, account, 30)
    await press(page(), mandate_url, { button: 'Fail a charge now' })
    await waitForRenewalStatus(account, 'past_due')
    const due = await showTerm(account.client)
    expect(due).toMatchObject({ grace_until: addDays(due?.renews_at, 7), auto_renew: true, months_total: 1 })
    expect(await account.client.balance()).toBe(0)
    const failed = (await waitForEmails(system, account, 2)).find(({ subject }) => /did not go/.test(subject))
    expect(failed?.subject).toBe('The payment for your plan Starter did not go through')
    // The email leads to the page of the provider, where the failed charge is paid.
    const link = /https?:\S+\/billing\/payment-method\S+/.exec(failed?.text ?? '')?.[0] ?? ''
    await page().goto(link)
    await page().getByText('Sign in to continue').waitFor()
    const session = { access_token: account.client.token, expires_at: '2100-01-01T00:00:00Z' }
    await page().evaluate((text) => localStorage.setItem('session', text), JSON.stringify(session))
    await page().goto(link)
    await page().getByRole('button', { name: 'Open the page of the payment provider' }).waitFor()
    await expectAccessible(page(), 'payment-method')
    await page().getByRole('button', { name: 'Open the page of the payment provider' }).click()
    await page().waitForURL(mandate_url)
    await press(page(), mandate_url, { button: 'Charge now' })
    await waitForRenewalStatus(account, 'active')
    expect(await showTerm(account.client)).toMatchObject({ grace_until: null, months_granted: 2 })
    expect(await account.client.balance()).toBe(500)
    const [charged] = await listOrders(account.client)
    expect(await emailsOf(account, 3)).toContain(`Your order ${charged?.order_id} is paid`)
  })

  test('past_due → ended: the term ends after the grace period, and the mandate is canceled', async () => {
    const { account, order_id, mandate_url } = await openSubscriber()
    await press(page(), mandate_url, { button: 'Fail a charge now' })
    await waitForRenewalStatus(account, 'past_due')
    expect(await account.client.balance()).toBe(DAILY + 500)
    await passDays(system, account, 38)
    // The first run ends the grace period, and the second run ends the term.
    await runScheduled(system.api_url)
    await runScheduled(system.api_url)
    expect(await showTerm(account.client)).toBeNull()
    expect(await account.client.balance()).toBe(0)
    await expect.poll(() => mandateOf(order_id)).toBe('canceled')
    expect(await emailsOf(account, 3)).toContain('Your plan Starter has ended')
  })

  test('active → paused → active → cancelling: the events of the provider change the status', async () => {
    const { account, mandate_url } = await openSubscriber()
    const before = await showTerm(account.client)
    await press(page(), mandate_url, { button: 'Pause' })
    await waitForRenewalStatus(account, 'paused')
    expect(await showTerm(account.client)).toMatchObject({ period_end: before?.period_end })
    await press(page(), mandate_url, { button: 'Resume' })
    await waitForRenewalStatus(account, 'active')
    await press(page(), mandate_url, { button: 'Cancel' })
    await waitForRenewalStatus(account, 'cancelling')
    expect(await showTerm(account.client)).toMatchObject({ period_end: before?.period_end, renews_at: null })
    expect(await emailsOf(account, 2)).toContain('Your plan Starter no longer renews')
  })

  test('a charge without an event is found by polling, and is granted once even if the event arrives later', async () => {
    const { account, order_id } = await openSubscriber()
    await passDays(system, account, 30)
    const events = await sandbox.act(order_id, 'charge', 'never')
    expect(await listOrders(account.client)).toHaveLength(1)
    await passDays(system, account, 1 / 12)
    await Promise.all([runScheduled(system.api_url), runScheduled(system.api_url)])
    const [charged] = await waitForOrders(account, 2)
    expect(await account.client.balance()).toBe(500)
    await sandbox.resend(order_id, [...events, ...events])
    expect(await listOrders(account.client)).toHaveLength(2)
    expect(await entriesOf(account.client, charged?.order_id ?? '')).toEqual([['subscription', 500]])
    await emailsOf(account, 2)
  })

  test('ended → a charge without an event is found by polling and starts a term that does not renew', async () => {
    const { account, order_id } = await openSubscriber()
    const events = await sandbox.act(order_id, 'charge', 'never')
    await call(account.client, 'POST', CANCEL, z.unknown())
    await passDays(system, account, 31)
    await runScheduled(system.api_url)
    const [charged] = await waitForOrders(account, 2)
    expect(charged).toMatchObject({ status: 'paid', extends_term: false })
    await sandbox.resend(order_id, [...events, ...events])
    expect(await listOrders(account.client)).toHaveLength(2)
    expect(await entriesOf(account.client, charged?.order_id ?? '')).toEqual([['subscription', 500]])
    expect(await showTerm(account.client)).toMatchObject({ months_total: 1, auto_renew: false })
    expect(await account.client.balance()).toBe(500)
    expect(await mandateOf(order_id)).toBe('canceled')
  })

  test('off → ended: a plan without renewal ends with its months, and their remaining credits expire', async () => {
    const account = await openCustomer()
    const { order_id } = await openOrder(account.client, { plan_id: 1 })
    await sandbox.act(order_id, 'pay')
    await waitForOrderStatus(account.client, order_id, 'paid')
    await passDays(system, account, 31)
    await runScheduled(system.api_url)
    expect(await statesOf(account)).toEqual(['off', 'ended'])
    expect(await showTerm(account.client)).toBeNull()
    expect(await account.client.balance()).toBe(0)
  })

  test('active → paused → past_due → cancelling → ended: canceling during the grace period keeps its remaining days', async () => {
    const { account, order_id } = await openSubscriber()
    const failed = await sandbox.act(order_id, 'fail_charge', 'never')
    await sandbox.act(order_id, 'pause')
    await waitForRenewalStatus(account, 'paused')
    await sandbox.resend(order_id, failed)
    await waitForRenewalStatus(account, 'past_due')
    await call(account.client, 'POST', CANCEL, z.unknown())
    await passDays(system, account, 36)
    await runScheduled(system.api_url)
    expect(await showTerm(account.client)).toMatchObject({ renewal_status: 'cancelling' })
    await passDays(system, account, 2)
    await runScheduled(system.api_url)
    expect(await showTerm(account.client)).toBeNull()
    expect(await statesOf(account)).toEqual(['active', 'paused', 'past_due', 'cancelling', 'ended'])
  })

  test('active → past_due → paused → cancelling: a paused renewal can be canceled', async () => {
    const { account, order_id } = await openSubscriber()
    await sandbox.act(order_id, 'fail_charge')
    await waitForRenewalStatus(account, 'past_due')
    await sandbox.act(order_id, 'pause')
    await waitForRenewalStatus(account, 'paused')
    await call(account.client, 'POST', CANCEL, z.unknown())
    expect(await statesOf(account)).toEqual(['active', 'past_due', 'paused', 'cancelling'])
    await expect.poll(() => mandateOf(order_id)).toBe('canceled')
  })

  test('active → paused → ended: a renewal that stays paused ends with the paid months', async () => {
    const { account, order_id } = await openSubscriber()
    await sandbox.act(order_id, 'pause')
    await waitForRenewalStatus(account, 'paused')
    await passDays(system, account, 31)
    await runScheduled(system.api_url)
    expect(await showTerm(account.client)).toBeNull()
    expect(await statesOf(account)).toEqual(['active', 'paused', 'ended'])
    await expect.poll(() => mandateOf(order_id)).toBe('canceled')
  })
})
