import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { deleteBatchStatement, deleteJobStatement, oldJobsQuery } from '../../archive/queries.ts'
import { type BatchFilter, filterBatches } from '../../batches/filter-queries.ts'
import { entriesQuery, filterEntries } from '../../credits/ledger-queries.ts'
import { jobsByResultQuery, openJobsOfBlockQuery } from '../../jobs/queries.ts'
import { openReaderQuery } from '../../jobs/reader-queries.ts'
import { unpaidWorkQuery } from '../../jobs/unpaid-work-query.ts'
import { filterOrders, paymentsQuery } from '../../orders/list-queries.ts'
import { originListedQuery } from '../../origins/queries.ts'
import { refundedQuery, refundQueries, reportedRefundQuery, withdrawnQuery } from '../../refunds/queries.ts'
import { settingsFrom } from '../../settings/rules/settings.ts'
import {
  claimUnreportedMandates,
  listBlockedTerms,
  listOverdueTerms,
  listTermsToNotice,
} from '../../subscriptions/queries.ts'
import { batches } from '../../tables.ts'
import { sessionsOf, sessionsQuery } from '../../upload-links/queries.ts'
import {
  deleteUploadStatements,
  openBytesQuery,
  unchangedReadersQuery,
  uploadsQuery,
} from '../../uploads/queries.ts'
import { filterUsage, usageQuery } from '../../usage/queries.ts'
import { subscribersQuery } from '../../webhooks/endpoint-queries.ts'
import { type DeliveryFilter, deliveriesQuery, filterDeliveries } from '../../webhooks/queries.ts'
import type { Statement } from './client.ts'
import { pageIds } from './filtered-list.ts'
import { ALL_IDS, pruneStatement } from './prune.ts'

const { db } = makeTestContext().deps

const PAGE = { limit: 50, offset: 0, cursor: { at: 1, id: '1' } }

const batchesBy = (filter: BatchFilter) =>
  db
    .select()
    .from(batches)
    .where(sql`${batches.id} IN (${pageIds(filterBatches(1, filter), PAGE)})`)
const deliveries = (filter: DeliveryFilter) => deliveriesQuery(db, pageIds(filterDeliveries(1, filter), PAGE))

const asStatement = (query: SQL): Statement => ({ toSQL: () => new SQLiteSyncDialect().sqlToQuery(query) })
const OLD = { id: 'one', account_id: 1, params: '{}' }

const QUERIES: [string, Statement][] = [
  ['the deletion of an archived job', deleteJobStatement(db, OLD, 1)],
  ['the deletion of an archived batch', deleteBatchStatement(db, OLD, 1)],
  ['jobs that can be archived', asStatement(oldJobsQuery(1, { at: 0, id: '' }, 1))],
  ['jobs by the keys of their results', jobsByResultQuery(db, ['one', 'other'])],
  ['unpaid work of an account', unpaidWorkQuery(db, { accountId: 1 }, 0)],
  ['unpaid work of an address', unpaidWorkQuery(db, { anonymousKey: 'one' }, 0)],
  ['unpaid work of a block', unpaidWorkQuery(db, { anonymousBlock: 'one' }, 0)],
  ['open jobs of a block', openJobsOfBlockQuery(db, 'one')],
  ['the open job that reads a file', openReaderQuery(db, 1, 'uploads/one/a.mp4')],
  ['the uploads of a job that is deleted', uploadsQuery(db, ['one', 'other'])],
  ['whether a job has begun to read an upload', unchangedReadersQuery(db, { key: 'one', readers: 1 })],
  ['open bytes of an account', openBytesQuery(db, { accountId: 1 }, 0)],
  ['open bytes of an address', openBytesQuery(db, { addressKey: 'one' }, 0)],
  ['open bytes of a block', openBytesQuery(db, { blockKey: 'one' }, 0)],
  ...deleteUploadStatements(db, ['one', 'other'], 0).map((query, index): [string, Statement] => [
    `the deletion of uploads, ${index + 1}`,
    query,
  ]),
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
  ['the webhook deliveries of an account', deliveries({})],
  ['the webhook deliveries about a job', deliveries({ job_id: 'job' })],
  ['the webhook deliveries to an endpoint', deliveries({ endpoint_id: 'endpoint' })],
  ['the accounts that allow an origin', originListedQuery(db, 'https://app.example.com')],
  ...refundQueries(db, 1, 'order').map((query, index): [string, Statement] => [
    `what a refund is decided by, ${index + 1}`,
    query,
  ]),
]

interface Step {
  parent: number
  detail: string
}

async function explain(query: Statement): Promise<Step[]> {
  const { sql, params } = query.toSQL()
  const { rows } = await db.$client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: params as string[] })
  return rows.map(({ parent, detail }) => ({ parent: Number(parent), detail: String(detail) }))
}

test.each<[string, Statement, string]>([
  ['orders of all accounts', paymentsQuery(db, pageIds(filterOrders({}), PAGE)), 'orders_created'],
  [
    "an account's orders",
    paymentsQuery(db, pageIds(filterOrders({ account_id: 1 }), PAGE)),
    'orders_account (account_id=? AND created_at<?)',
  ],
  [
    "an account's usage",
    usageQuery(db, pageIds(filterUsage(1, {}), PAGE)),
    'usage_events_newest (account_id=? AND created_at<?)',
  ],
  [
    "an account's usage from one source",
    usageQuery(db, pageIds(filterUsage(1, { source: 'api' }), PAGE)),
    'usage_events_newest (account_id=? AND created_at<?)',
  ],
  [
    "an account's ledger",
    entriesQuery(db, pageIds(filterEntries(1, {}), PAGE)),
    'ledger_sequence (account_id=? AND sequence<?)',
  ],
  [
    "an account's webhook deliveries",
    deliveries({}),
    'webhook_deliveries_account (account_id=? AND created_at<?)',
  ],
  [
    'the webhook deliveries to an endpoint',
    deliveries({ endpoint_id: 'endpoint' }),
    'webhook_deliveries_endpoint (endpoint_id=? AND created_at<?)',
  ],
  ["an account's batches", batchesBy({}), 'batches_listed (account_id=? AND (created_at,id)<(?,?))'],
  ["an account's batches that are done", batchesBy({ status: ['done'] }), 'batches_listed (account_id=?'],
  ["an account's open batches", batchesBy({ status: ['queued'] }), 'jobs_open_of_account (account_id=?)'],
  [
    "an account's upload sessions",
    sessionsQuery(db, pageIds(sessionsOf(1), PAGE)),
    'upload_sessions_account (account_id=? AND created_at<?)',
  ],
])('%s, newest first, are read page by page in index order', async (_what, query, index) => {
  const steps = await explain(query)
  const scan = steps.find(({ detail }) => detail.includes(`INDEX ${index}`))
  expect(scan, JSON.stringify(steps)).toBeDefined()
  // SQLite must not sort the whole result; it may only sort rows that share a timestamp.
  const siblings = steps.filter(({ parent }) => parent === scan?.parent)
  expect(siblings.map(({ detail }) => detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY')
})

test.each(QUERIES)('%s use indexes and scan no table', async (_what, query) => {
  const steps = await explain(query)
  expect(steps).not.toEqual([])
  const scans = steps.filter(({ detail }) => /^SCAN (?!scanned)/.test(detail))
  expect(scans).toEqual([])
})

test.each(['job_moves', 'webhook_attempts'] as const)(
  'pruning %s looks up no account while none moves',
  async (table) => {
    const steps = await explain(asStatement(pruneStatement(table, { ...ALL_IDS, before: 1, limit: 1 })))
    // The condition of the inner lookup is evaluated only for rows of the outer table, which is usually empty.
    expect(steps.filter(({ detail }) => / m( |$)/.test(detail))).toMatchObject([{ detail: 'SCAN m' }])
    expect(steps.some(({ detail }) => detail === `SCAN ${table}`)).toBe(false)
  },
)
