import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { ledger, orders, uploadSessions, usageEvents, webhookDeliveries } from '../tables.ts'
import type { NewDelivery } from '../webhooks/queries.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
/** Rows share times, so that pages also end between rows of one time. */
const timeOf = (number: number) => Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 1000
const COUNT = 11

interface List {
  path: string
  /** Inserts row n of a list. */
  insert(owner: Person, number: number): PromiseLike<unknown>
  /** Returns the number of a shown row. */
  numberOf(row: Record<string, unknown>): number
  /** A filter, and the numbers of the rows that match it. */
  filter: string
  matches(number: number): boolean
}

const delivery = (owner: Person, number: number): NewDelivery => ({
  id: crypto.randomUUID(),
  accountId: owner.id,
  endpointId: number % 2 === 0 ? `endpoint-${owner.id}` : null,
  subjectId: `job-${owner.id}`,
  type: number % 4 === 0 ? 'job.done' : 'job.failed',
  url: `https://hooks.example.org/${number}`,
  status: 'delivered',
  createdAt: timeOf(number),
  retryUntil: 0,
})
const numberInUrl = ({ url }: Record<string, unknown>) => Number(String(url).split('/').at(-1))

const LISTS: Record<string, List> = {
  'ledger entries': {
    path: '/api/v1/billing/ledger',
    insert: ({ id }, number) =>
      deps.db.insert(ledger).values({
        accountId: id,
        // The first entry of the account is its daily allowance of 20 credits.
        sequence: number + 2,
        entryType: number % 2 === 0 ? 'adjust' : 'purchase',
        amount: 1,
        balanceAfter: 21 + number,
        note: String(number),
        cause: crypto.randomUUID(),
        createdAt: timeOf(number),
      }),
    numberOf: ({ note }) => Number(note ?? Number.NaN),
    filter: 'entry_type=purchase',
    matches: (number) => number % 2 === 1,
  },
  payments: {
    path: '/api/v1/billing/payments',
    insert: ({ id }, number) =>
      deps.db.insert(orders).values({
        id: crypto.randomUUID(),
        accountId: id,
        kind: 'package',
        status: 'expired',
        provider: 'card',
        itemName: 'Pack',
        credits: number,
        amountCents: 100,
        currency: 'USD',
        termsVersion: '2026-01-01',
        createdAt: timeOf(number),
      }),
    numberOf: ({ credits }) => Number(credits),
    filter: '',
    matches: () => true,
  },
  'usage events': {
    path: '/api/v1/me/usage',
    insert: ({ id }, number) =>
      deps.db.insert(usageEvents).values({
        accountId: id,
        source: number % 2 === 0 ? 'web' : 'api',
        action: number % 3 === 0 ? 'upload' : 'deliver',
        credits: number,
        createdAt: timeOf(number),
      }),
    numberOf: ({ credits }) => Number(credits),
    filter: 'source=api&action=deliver',
    matches: (number) => number % 2 === 1 && number % 3 !== 0,
  },
  'webhook deliveries': {
    path: '/api/v1/webhooks/deliveries',
    insert: (owner, number) => deps.db.insert(webhookDeliveries).values(delivery(owner, number)),
    numberOf: numberInUrl,
    filter: 'type=job.done',
    matches: (number) => number % 4 === 0,
  },
  'upload sessions': {
    path: '/api/v1/upload-sessions',
    insert: ({ id }, number) =>
      deps.db.insert(uploadSessions).values({
        id: crypto.randomUUID(),
        accountId: id,
        tokenHash: crypto.randomUUID(),
        status: 'canceled',
        serviceSlug: 'video',
        operationKey: 'trim',
        params: {},
        allowedMimeTypes: [],
        maxSizeBytes: number,
        createdAt: timeOf(number),
        expiresAt: Date.UTC(9999, 0),
      }),
    numberOf: ({ max_size_bytes }) => Number(max_size_bytes),
    filter: '',
    matches: () => true,
  },
}

async function readAll(
  { path, numberOf }: List,
  query: string,
  { token }: Person,
  betweenPages = async () => {},
): Promise<number[]> {
  const seen: number[] = []
  for (let rest: string | undefined = query; rest !== undefined; ) {
    const page = await call('GET', `${path}?${rest}`, { token })
    expect(page.status).toBe(200)
    expect(page.headers.get('link')).toContain(`<${path}?limit=`)
    seen.push(...(page.json as Record<string, unknown>[]).map(numberOf))
    rest = nextQuery(page.headers)
    await betweenPages()
  }
  return seen.filter((number) => !Number.isNaN(number))
}

const NUMBERS = Array.from({ length: COUNT }, (_, number) => number)
const NEWEST_FIRST = NUMBERS.toReversed()

describe.each(Object.entries(LISTS))('the list of %s', (_name, list) => {
  let person: Person

  beforeAll(async () => {
    person = await register(testContext)
    const stranger = await register(testContext)
    for (const number of NUMBERS) {
      await list.insert(person, number)
      await list.insert(stranger, number)
    }
  })

  test('links its pages, which contain each row of the account once', async () => {
    const seen = await readAll(list, 'limit=2', person)
    expect(seen).toHaveLength(COUNT)
    // Rows of one time have no order of their own.
    expect(seen.map(timeOf)).toEqual(NEWEST_FIRST.map(timeOf))
    expect(new Set(seen)).toEqual(new Set(NUMBERS))
  })

  test('links the pages of a filter, after rows that an offset skips', async () => {
    const all = await readAll(list, `limit=200&${list.filter}`, person)
    expect(new Set(all)).toEqual(new Set(NUMBERS.filter(list.matches)))
    expect(await readAll(list, `limit=2&${list.filter}`, person)).toEqual(all)
    expect(await readAll(list, `limit=2&offset=1&${list.filter}`, person)).toEqual(all.slice(1))
  })

  test('refuses a cursor that is none', async () => {
    const answer = await call('GET', `${list.path}?cursor=none`, { token: person.token })
    expect([answer.status, answer.faults.map(({ type }) => type)]).toEqual([422, ['invalid_cursor']])
  })

  test('neither skips nor repeats rows while new ones arrive', async () => {
    const owner = await register(testContext)
    for (const number of [0, 1, 2, 3, 4, 5]) await list.insert(owner, number)
    let next = 6
    const seen = await readAll(list, 'limit=2', owner, async () => void (await list.insert(owner, next++)))
    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5])
  })
})

test('the deliveries about a job or to an endpoint are those of the account', async () => {
  const [owner, stranger] = [await register(testContext), await register(testContext)]
  for (const number of [0, 1, 2, 3]) await deps.db.insert(webhookDeliveries).values(delivery(owner, number))
  const list = async (query: string, { token }: Person) => {
    const { json } = await call('GET', `/api/v1/webhooks/deliveries?${query}`, { token })
    return json.map(numberInUrl).toSorted()
  }
  const [job, endpoint] = [`job_id=job-${owner.id}`, `endpoint_id=endpoint-${owner.id}`]
  expect(await list(job, owner)).toEqual([0, 1, 2, 3])
  expect(await list(endpoint, owner)).toEqual([0, 2])
  expect(await list(`${job}&${endpoint}&type=job.done`, owner)).toEqual([0])
  expect(await list(job, stranger)).toEqual([])
  expect(await list(endpoint, stranger)).toEqual([])
})
