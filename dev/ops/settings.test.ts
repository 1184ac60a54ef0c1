import { describe, expect, test } from 'vitest'
import { readDatabaseAddresses } from './settings.ts'

const SEVERAL = {
  DATABASE_URL: 'http://127.0.0.1:9',
  ACCOUNT_DATABASES: JSON.stringify([{ url: 'http://127.0.0.1:9/other', token: 'its-own' }]),
}

describe('several databases', () => {
  test('have addresses that begin with the home', () => {
    expect(readDatabaseAddresses(SEVERAL)).toEqual([
      { url: SEVERAL.DATABASE_URL, auth_token: undefined },
      { url: 'http://127.0.0.1:9/other', auth_token: 'its-own' },
    ])
  })

  test.each([
    ['ACCOUNT_DATABASES', { ACCOUNT_DATABASES: '[{"url":"libsql://media-2.turso.io"}]' }],
    ['DATABASE_URL', { DATABASE_URL: 'libsql://media.turso.io' }],
  ])('are refused if replicas may answer the reads of %s', (name, change) => {
    expect(() => readDatabaseAddresses({ ...SEVERAL, ...change })).toThrow(`${name} must name only primaries`)
  })
})
