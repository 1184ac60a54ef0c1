import type { SQL } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { filterBatches } from '../../batches/filter-queries.ts'
import { filterJobs, type JobFilter } from '../../jobs/filter-queries.ts'
import { type FilteredList, type ListedTable, pageIds, scanEndQuery } from './filtered-list.ts'

const { db } = makeTestContext().deps
const PAGE = { limit: 50, offset: 0 }
const CURSOR = { at: 5, id: 'job' }

type List = FilteredList<ListedTable>
const listOf = (list: unknown) => list as List
const jobsBy = (filter: JobFilter) => listOf(filterJobs({ account_id: 1, ...filter }))
const batchesBy = (filter: Parameters<typeof filterBatches>[1]) => listOf(filterBatches(1, filter))

async function explain(query: SQL): Promise<string[]> {
  const { sql, params } = new SQLiteSyncDialect().sqlToQuery(query)
  const { rows } = await db.$client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: params as string[] })
  return rows.map(({ detail }) => String(detail))
}

const PLAIN: [string, List, string][] = [
  ['all jobs', listOf(filterJobs({})), 'SCAN jobs USING COVERING INDEX jobs_created'],
  ['the jobs of an account', jobsBy({}), 'SEARCH jobs USING COVERING INDEX jobs_listed (account_id=?)'],
  [
    'its jobs with a tag',
    jobsBy({ tag: 'a' }),
    'SEARCH jobs USING COVERING INDEX jobs_tagged (account_id=? AND tag=?)',
  ],
  [
    'its jobs of a period',
    jobsBy({ created_after: 1, created_before: 2 }),
    'SEARCH jobs USING COVERING INDEX jobs_listed (account_id=? AND created_at>? AND created_at<?)',
  ],
  ['its batches', batchesBy({}), 'SEARCH batches USING COVERING INDEX batches_listed (account_id=?)'],
  [
    'its batches with a tag',
    batchesBy({ tag: 'a' }),
    'SEARCH batches USING COVERING INDEX batches_tagged (account_id=? AND tag=?)',
  ],
]

test.each(PLAIN)('%s are read in index order without sorting', async (_what, list, search) => {
  expect(await explain(pageIds(list, PAGE))).toEqual([search])
})

const OTHERS = { status: ['failed'] as const, service_slug: 'video', operation_key: 'trim' }

const SCANS: [string, List, string][] = [
  ['jobs by state', jobsBy({ status: ['done', 'failed'] }), 'jobs_listed (account_id=?'],
  ['jobs by operation', jobsBy({ operation_key: 'trim' }), 'jobs_listed (account_id=?'],
  ['jobs by tag and others', jobsBy({ tag: 'a', ...OTHERS }), 'jobs_tagged (account_id=? AND tag=?'],
  [
    'jobs by time and others',
    jobsBy({ created_after: 1, created_before: 9, ...OTHERS }),
    'jobs_listed (account_id=? AND created_at>?',
  ],
  ['batches by operation', batchesBy({ operation_key: 'trim' }), 'batches_listed (account_id=?'],
  [
    'batches by tag and operation',
    batchesBy({ tag: 'a', operation_key: 'trim' }),
    'batches_tagged (account_id=? AND tag=?',
  ],
]

test.each(SCANS)('%s are found in an index of the account alone', async (_what, list, search) => {
  const first = await explain(pageIds(list, PAGE))
  expect(first[0]).toBe('CO-ROUTINE scanned')
  expect(first[1]).toContain(`USING COVERING INDEX ${search}`)
  const [, later] = await explain(pageIds(list, { ...PAGE, cursor: CURSOR }))
  expect(later).toContain(`USING COVERING INDEX ${search} AND (created_at,id)<(?,?))`)
  const end = await explain(scanEndQuery(db, list, { cursor: CURSOR }).getSQL())
  expect(end.filter((step) => /^SCAN (?!scanned)/.test(step))).toEqual([])
})

test('a cursor newer than the period does not extend it', async () => {
  const [step] = await explain(pageIds(jobsBy({ created_before: 2 }), { ...PAGE, cursor: CURSOR }))
  expect(step).toContain('jobs_listed (account_id=? AND created_at<?)')
})
