import { expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { jobsByResultQuery } from '../../jobs/queries.ts'
import { unpaidWorkQuery } from '../../jobs/unpaid-work-query.ts'
import { listPayments } from '../../orders/queries.ts'
import { originListedQuery } from '../../origins/queries.ts'
import { refundedQuery, refundQueries, reportedRefundQuery, withdrawnQuery } from '../../refunds/queries.ts'
import { settingsFrom } from '../../settings/rules/settings.ts'
import {
  claimUnreportedMandates,
  listBlockedTerms,
  listOverdueTerms,
  listTermsToNotice,
} from '../../subscriptions/queries.ts'
import { listUsage } from '../../usage/queries.ts'
import { subscribersQuery } from '../../webhooks/endpoint-queries.ts'
import { deliveriesQuery } from '../../webhooks/queries.ts'
import type { Statement } from './client.ts'

const { db } = makeTestContext().deps

const PAGE = { limit: 50, offset: 0 }

const QUERIES: [string, Statement][] = [
  ['jobs by the keys of their results', jobsByResultQuery(db, ['one', 'other'])],
  ['unpaid work of an account', unpaidWorkQuery(db, { accountId: 1 }, 0)],
  ['unpaid work of an address', unpaidWorkQuery(db, { anonymousKey: 'one' }, 0)],
  ['terms that time moves on', listOverdueTerms(db, 0, 50)],
  ['terms of blocked accounts', listBlockedTerms(db, 50)],
  ['terms to notice', listTermsToNotice(db, settingsFrom({}), 0, 50)],
  ['mandates to ask about', claimUnreportedMandates(db, { now: 0, silence_ms: 1, pause_ms: 1, limit: 20 })],
  ['what a refund withdrew', withdrawnQuery(db, 'refund')],
  [
    'a refund that its provider names',
    reportedRefundQuery(db, 'card', { reference: 'adj', refund_id: null }),
  ],
  ['what an order gave back', refundedQuery(db, 'refund', 1)],
  ['the webhook endpoints of an account', subscribersQuery(db, 1)],
  ['the webhook deliveries of an account', deliveriesQuery(db, 1, PAGE)],
  ['the webhook deliveries about a job', deliveriesQuery(db, 1, { ...PAGE, job_id: 'job' })],
  ['the webhook deliveries to an endpoint', deliveriesQuery(db, 1, { ...PAGE, endpoint_id: 'endpoint' })],
  ['the accounts that allow an origin', originListedQuery(db, 'https://app.example.com')],
  ...refundQueries(db, 1, 'order').map((query, index): [string, Statement] => [
    `what a refund is decided by, ${index + 1}`,
    query,
  ]),
]

async function explain(query: Statement): Promise<string[]> {
  const { sql, params } = query.toSQL()
  const { rows } = await db.$client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: params as string[] })
  return rows.map(({ detail }) => String(detail))
}

test('all payments, newest first, are read in index order without sorting', async () => {
  const steps = await explain(listPayments(db, PAGE))
  expect(steps.filter((step) => /TEMP B-TREE/.test(step))).toEqual([])
  expect(steps[0]).toContain('orders_created')
})

test.each<[string, Statement, string]>([
  [
    "an account's usage",
    listUsage(db, 1, PAGE),
    'SEARCH usage_events USING INDEX usage_events_newest (account_id=?)',
  ],
])('%s, newest first, are read page by page in index order', async (_what, query, scan) => {
  const steps = await explain(query)
  expect(steps).toContain(scan)
  // SQLite must not sort the whole result; it may only sort rows that share a timestamp.
  expect(steps[steps.indexOf(scan) + 1]).not.toBe('USE TEMP B-TREE FOR ORDER BY')
})

test.each(QUERIES)('%s use indexes and scan no table', async (_what, query) => {
  const steps = await explain(query)
  expect(steps).not.toEqual([])
  expect(steps.filter((step) => /^SCAN /.test(step))).toEqual([])
})
