import { expect, test } from 'vitest'
import { NUMBERED_TABLES } from './id-blocks.ts'
import { GLOBAL_TABLES, LOCAL_TABLES, OWNED_TABLES, SPECIAL_TABLES, TABLES } from './table-owners.ts'

const owned = OWNED_TABLES.map(({ name }) => name)

test('every table belongs to accounts, is global, or stays in its database', () => {
  const classified = [...owned, ...GLOBAL_TABLES, ...LOCAL_TABLES, ...SPECIAL_TABLES]
  expect(classified.toSorted()).toEqual([...TABLES.keys()].toSorted())
})

test('every table that moves has a key and the account of its rows', () => {
  for (const { name, key, accountOf } of OWNED_TABLES) {
    expect(key, name).not.toEqual([])
    expect(accountOf('NEW'), name).toContain('"NEW"')
  }
})

test('a row is inserted after the rows that it refers to', () => {
  const position = (name: string) => owned.indexOf(name)
  for (const [earlier, later] of [
    ['accounts', 'jobs'],
    ['jobs', 'job_moves'],
    ['ledger', 'grants'],
    ['orders', 'term_months'],
    ['refunds', 'withdrawals'],
    ['webhook_deliveries', 'webhook_attempts'],
  ] as const) {
    expect(position(earlier), `${earlier}, ${later}`).toBeLessThan(position(later))
  }
})

test('the ids of every table that moves or belongs to its database are unique over all databases', () => {
  expect(NUMBERED_TABLES).toEqual(
    expect.arrayContaining([
      'accounts',
      'api_keys',
      'audit',
      'ledger',
      'storage_connections',
      'usage_events',
    ]),
  )
  expect(NUMBERED_TABLES).not.toEqual(expect.arrayContaining(['plans']))
})
