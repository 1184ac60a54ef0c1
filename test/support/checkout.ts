import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../dev/client.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import type { SharedSystem } from '../system/setup.ts'
import { type Account, openAccount } from './accounts.ts'
import { type Email, listEmails } from './emails.ts'

const PATIENCE = { interval: 100 }
export const CONSENT = { accept_documents: true, accept_immediate: true }

/** Creates the customers for one test file. After each test, their ledgers must be consistent. */
export function useCustomers({ api_url }: SharedSystem): () => Promise<Account> {
  const customers: Account[] = []
  afterEach(async () => {
    for (const { client } of customers.splice(0))
      expect(await client.verifyLedger()).toMatchObject({ ok: true })
  })
  return async () => {
    const account = await openAccount(api_url)
    customers.push(account)
    return account
  }
}

/** Sends a request that must succeed and parses the response. */
export async function call<Answer>(
  client: Client,
  method: string,
  path: string,
  schema: z.ZodType<Answer>,
  body?: object,
) {
  const response = await client.send(method, path, body)
  const text = await response.text()
  expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
  return schema.parse(JSON.parse(text))
}

/**
 * Sends a request that must be refused.
 * @returns the response's status and error code
 */
export async function refusalOf(client: Client, method: string, path: string, body?: object) {
  const response = await client.send(method, path, body)
  const { code } = z.object({ code: z.string() }).parse(await response.json())
  return [response.status, code]
}

const Opened = z.object({
  order_id: z.string(),
  redirect_url: z.url(),
  status: z.literal('waiting'),
  provider: z.string(),
  balance: z.int(),
})
export type OpenedOrder = z.infer<typeof Opened>

/** Opens an order for a pack or for months of a plan. */
export function openOrder(client: Client, item: object): Promise<OpenedOrder> {
  const path = 'plan_id' in item ? 'subscribe' : 'checkout'
  return call(client, 'POST', `/api/v1/billing/${path}`, Opened, { ...CONSENT, ...item })
}

const Order = z.looseObject({
  order_id: z.string(),
  status: z.string(),
  credits: z.int(),
  amount_cents: z.int(),
  actually_paid_cents: z.int(),
  credited_at: z.string().nullable(),
  extends_term: z.boolean(),
  receipt_url: z.string().nullable(),
})

/** Lists the account's orders, newest first. */
export const listOrders = (client: Client) =>
  call(client, 'GET', '/api/v1/billing/payments?limit=500', z.array(Order))

export async function showOrder(client: Client, id: string) {
  return (await listOrders(client)).find(({ order_id }) => order_id === id)
}

/** Waits until an order has this status. */
export async function waitForOrderStatus(client: Client, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await showOrder(client, id))?.status, PATIENCE).toBe(status)
}

const Entry = z.looseObject({
  entry_type: z.string(),
  amount: z.int(),
  expires_at: z.string().nullable(),
  order_id: z.string().nullable(),
})

/** Lists an order's ledger entries, oldest first. */
export async function entriesOf(client: Client, id: string): Promise<[string, number][]> {
  const entries = await call(client, 'GET', '/api/v1/billing/ledger?limit=500', z.array(Entry))
  return entries
    .filter(({ order_id }) => order_id === id)
    .reverse()
    .map(({ entry_type, amount }) => [entry_type, amount])
}

const Term = z.looseObject({
  period_end: z.string(),
  months_total: z.int(),
  months_granted: z.int(),
  next_grant_at: z.string().nullable(),
  auto_renew: z.boolean(),
  renewal_status: z.string(),
  renews_at: z.string().nullable(),
  grace_until: z.string().nullable(),
  can_cancel: z.boolean(),
})

export const showTerm = (client: Client) =>
  call(client, 'GET', '/api/v1/billing/subscription', Term.nullable())

/** A button click on a page of the payment sandbox. */
interface Press {
  button: string
  /** How the resulting events are sent. */
  callbacks?: 'once' | 'twice' | 'late' | 'never'
  /** Percentage of the price received, for an underpayment. */
  received_pct?: number
}

/**
 * Opens a page and clicks one of its buttons.
 * @returns the resulting URL and page text
 */
export async function press(
  page: Page,
  url: string,
  { button, callbacks, received_pct }: Press,
): Promise<{ url: URL; text: string | null }> {
  await page.goto(url)
  if (callbacks !== undefined || received_pct !== undefined) {
    await page.getByText('For tests: webhook events').click()
    if (callbacks !== undefined) await page.selectOption('#callbacks', callbacks)
    if (received_pct !== undefined) await page.fill('#received_pct', String(received_pct))
  }
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.waitForLoadState()
  return { url: new URL(page.url()), text: await page.textContent('body') }
}

/** Waits until an account has received `count` emails, and checks that another run of the outbox sends no more. */
export async function waitForEmails(
  { api_url, mail_url }: SharedSystem,
  { credentials }: Account,
  count: number,
): Promise<Email[]> {
  const list = () => listEmails(mail_url, credentials.email)
  await expect.poll(async () => (await list()).length, PATIENCE).toBeGreaterThanOrEqual(count)
  await runScheduled(api_url)
  const emails = await list()
  expect(emails.map(({ subject }) => subject)).toHaveLength(count)
  return emails
}

/** Runs the tasks that are scheduled every minute. */
export async function runScheduled(api_url: string): Promise<void> {
  const response = await fetch(`${api_url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)
  expect(response.status).toBe(200)
}

const TIMES = {
  orders: ['created_at', 'credited_at'],
  term_months: ['starts_at', 'ends_at'],
  subscriptions: ['started_at', 'period_end', 'renews_at', 'grace_until', 'noticed_for', 'charge_asked_at'],
  grants: ['expires_at'],
}
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Moves an account's dates into the past, as if that many days had passed. The append-only ledger keeps its dates,
 * so no new daily allowance is due.
 */
export async function passDays(system: SharedSystem, { id }: Account, days: number): Promise<void> {
  const shift_ms = days * DAY_MS
  const statements = Object.entries(TIMES).map(([table, columns]) => ({
    sql: `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ${shift_ms}`)} WHERE account_id = ?`,
    args: [id],
  }))
  await withDatabase(system, (client) => client.batch(statements, 'write'))
}

/**
 * Runs one SQL statement.
 * @returns its rows
 */
export async function query(system: SharedSystem, sql: string, args: (string | number)[] = []) {
  return (await withDatabase(system, (client) => client.execute({ sql, args }))).rows
}

async function withDatabase<Answer>(
  { database_url }: SharedSystem,
  work: (client: ReturnType<typeof openDatabase>['$client']) => Promise<Answer>,
): Promise<Answer> {
  const { $client } = openDatabase(database_url, undefined)
  try {
    return await work($client)
  } finally {
    $client.close()
  }
}
