import { beforeAll, describe, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { type Person, register, submit } from '../../test/edge/worker/people.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { readPage } from '../platform/database/filtered-list.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { jobs } from '../tables.ts'
import { filterJobs } from './filter-queries.ts'
import { jobsQuery } from './list-queries.ts'
import { newJob, type StoredJob } from './queries.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const BEGIN = Date.parse('2026-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const STATES = ['queued', 'done', 'failed', 'canceled'] as const
const OPERATIONS = ['trim', 'compress', 'resize'] as const

const NEVER_STALE = Date.UTC(9999, 0)
let person: Person
let made: StoredJob[]

/** Makes job n. Its number determines its state, operation, tag, and age in hours. */
function makeJob(owner: Person, number: number, given: Partial<StoredJob> = {}): StoredJob {
  const operationKey = OPERATIONS[number % 3] ?? 'trim'
  return {
    ...newJob({
      id: crypto.randomUUID(),
      accountId: owner.id,
      serviceSlug: operationKey === 'resize' ? 'image' : 'video',
      operationKey,
      params: { number },
      dispatch: { filename: 'a.mp4' } as Partial<Dispatch> as Dispatch,
      source: 'api',
      repeatOf: null,
      estimatedCost: 2,
      tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
      createdAt: BEGIN + number * HOUR_MS,
    }),
    status: STATES[number % 4] ?? 'done',
    // Keeps tests of stale jobs, which share the database, from redispatching it.
    heardAt: NEVER_STALE,
    tag: number % 5 === 0 ? null : `tag ${number % 5}`,
    ...given,
  }
}

beforeAll(async () => {
  person = await register(testContext)
  const stranger = await register(testContext)
  made = Array.from({ length: 40 }, (_, number) => makeJob(person, number))
  await deps.db.insert(jobs).values(made)
  await deps.db.insert(jobs).values(made.map((_, number) => makeJob(stranger, number)))
})

type Listed = { params: Record<string, unknown> }
const numbersOf = (rows: Listed[]) => rows.map(({ params }) => params.number)
const list = (query: string, { token } = person) => call('GET', `/api/v1/jobs?${query}`, { token })

const CASES: [string, (job: StoredJob) => boolean][] = [
  ['status=failed', ({ status }) => status === 'failed'],
  ['status=done,failed', ({ status }) => status === 'done' || status === 'failed'],
  ['status=processing', () => false],
  ['service_slug=image', ({ serviceSlug }) => serviceSlug === 'image'],
  ['operation_key=trim', ({ operationKey }) => operationKey === 'trim'],
  ['service_slug=audio', () => false],
  ['tag=tag%202', ({ tag }) => tag === 'tag 2'],
  ['tag=tag', () => false],
  ['tag=tag%202&status=failed,queued', ({ tag, status }) => tag === 'tag 2' && /failed|queued/.test(status)],
  ['created_after=2026-01-01T10:00:00Z', ({ createdAt }) => createdAt >= BEGIN + 10 * HOUR_MS],
  ['created_before=2026-01-01T12:00:00%2B02:00', ({ createdAt }) => createdAt < BEGIN + 10 * HOUR_MS],
  [
    'created_after=2026-01-02&tag=tag%201',
    ({ createdAt, tag }) => createdAt >= BEGIN + 24 * HOUR_MS && tag === 'tag 1',
  ],
  [
    'status=done&service_slug=video&operation_key=trim&created_after=2026-01-01&created_before=2026-01-02',
    ({ status, operationKey, createdAt }) =>
      status === 'done' && operationKey === 'trim' && createdAt < BEGIN + 24 * HOUR_MS,
  ],
]

describe('the list of jobs', () => {
  test.each(CASES)(
    'by %s contains the matching jobs of the account, by any page size',
    async (query, matches) => {
      const expected = numbersOf(made.filter(matches)).reverse()
      expect(numbersOf((await list(query)).json)).toEqual(expected)
      expect(numbersOf((await list(`${query}&offset=2`)).json)).toEqual(expected.slice(2))
      const seen: unknown[] = []
      for (let rest: string | undefined = `${query}&limit=3`; rest !== undefined; ) {
        const page = await list(rest)
        expect([page.status, page.json.length <= 3]).toEqual([200, true])
        seen.push(...numbersOf(page.json))
        rest = nextQuery(page.headers)
      }
      expect(seen).toEqual(expected)
    },
  )

  test('neither skips nor repeats jobs that share a time while new ones arrive', async () => {
    const owner = await register(testContext)
    const same = Array.from({ length: 9 }, (_, number) => makeJob(owner, number, { createdAt: BEGIN }))
    await deps.db.insert(jobs).values(same)
    const seen: string[] = []
    for (let rest: string | undefined = 'limit=2'; rest !== undefined; ) {
      const page = await list(rest, owner)
      seen.push(...page.json.map(({ id }) => id))
      rest = nextQuery(page.headers)
      await deps.db.insert(jobs).values(makeJob(owner, 100))
    }
    expect(seen.toSorted()).toEqual(same.map(({ id }) => id).toSorted())
  })

  test('links to its first page, with the filters and without a place', async () => {
    const first = await list('limit=2&offset=1&status=done,failed')
    const second = await list(nextQuery(first.headers) ?? '')
    for (const { headers } of [first, second]) {
      expect(headers.get('link')).toContain('</api/v1/jobs?limit=2&status=done%2Cfailed>; rel="first"')
    }
    const whole = await list('limit=200')
    expect(whole.headers.get('link')).toBe('</api/v1/jobs?limit=200>; rel="first"')
  })

  test('of another account stays empty, whatever the cursor', async () => {
    const { token } = await register(testContext)
    const first = await list('limit=2&tag=tag%201')
    const next = await call('GET', `/api/v1/jobs?${nextQuery(first.headers)}`, { token })
    expect([next.status, next.json]).toEqual([200, []])
  })

  test('is filtered for administrators too', async () => {
    const { token } = await registerAdministrator(testContext)
    const own = `/api/v1/admin/jobs?account_id=${person.id}&status=failed&tag=tag%202&limit=1` as const
    const expected = made.filter(({ status, tag }) => status === 'failed' && tag === 'tag 2')
    const first = await call('GET', own, { token })
    expect(numbersOf(first.json)).toEqual(numbersOf(expected).reverse().slice(0, 1))
    const second = await call('GET', `/api/v1/admin/jobs?${nextQuery(first.headers)}`, { token })
    expect(numbersOf(second.json as Listed[])).toEqual(numbersOf(expected).reverse().slice(1, 2))
    const all = await call('GET', '/api/v1/jobs?tag=tag%202&operation_key=trim&created_before=2026-01-03', {
      token,
    })
    expect(all.json.length).toBeGreaterThanOrEqual(4)
    expect(all.json.every(({ tag, operation_key }) => tag === 'tag 2' && operation_key === 'trim')).toBe(true)
  })
})

test('a page examines a bounded number of rows, and the next one continues there', async () => {
  const filter = { ...filterJobs({ account_id: person.id, status: ['failed'] }), scanned_max: 7 }
  const read = {
    select: (ids: Parameters<typeof jobsQuery>[1]) => jobsQuery(deps.db, ids),
    placeOf: ({ id, createdAt }: { id: string; createdAt: number }) => ({ at: createdAt, id }),
  }
  const expected = made
    .filter(({ status }) => status === 'failed')
    .map(({ id }) => id)
    .reverse()
  for (const offset of [0, 1, 5, 30]) {
    const seen: string[] = []
    const sizes: number[] = []
    let span: Span | null = { limit: 50, offset }
    while (span !== null) {
      const page: Page<{ id: string }> = await readPage(deps.db, filter, span, read)
      seen.push(...page.rows.map(({ id }) => id))
      sizes.push(page.rows.length)
      span = page.next && { limit: 50, ...page.next }
    }
    expect(seen).toEqual(expected.slice(offset))
    expect([sizes.length, Math.max(...sizes) <= 2]).toEqual([6, true])
  }
})

describe('a filter is refused', () => {
  test.each([
    ['status=perhaps', 'status'],
    ['status=', 'status'],
    ['status=done,,failed', 'status'],
    [`status=${'done,'.repeat(100)}done`, 'status'],
    ['status=done&status=failed', 'status'],
    ['tag=', 'tag'],
    [`tag=${'x'.repeat(65)}`, 'tag'],
    ['service_slug=', 'service_slug'],
    [`operation_key=${'x'.repeat(65)}`, 'operation_key'],
    ['created_after=yesterday', 'created_after'],
    ['created_after=2026-13-01', 'created_after'],
    ['created_before=2026-01-01T10:00:00', 'created_before'],
    ['created_before=1e400', 'created_before'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=1.%27%20OR%201', 'cursor'],
    [`cursor=1.${'x'.repeat(200)}`, 'cursor'],
  ])('%s', async (query, field) => {
    const { status, faults } = await list(query)
    expect([status, faults[0]?.loc.slice(0, 2)]).toEqual([422, ['query', field]])
  })

  test('a word instead of a time gets an example of a time', async () => {
    const { faults } = await list('created_after=yesterday')
    expect(faults.map(({ msg }) => msg)).toEqual(['Must be a date or time such as 2026-11-20T09:30:00Z.'])
  })

  test('a job that was submitted now is found by its time', async () => {
    const owner = await register(testContext)
    const before = new Date(Date.now() - 1000).toISOString()
    const id = await submit(testContext, owner)
    const answer = await list(`created_after=${before}`, owner)
    expect(answer.json.map((job) => job.id)).toEqual([id])
  })
})
