import { expect, test } from 'vitest'
import { readDatabaseSettings } from './prepare-all.ts'

test('databases of the local system are not those of a deployment', () => {
  const facts = {
    vars: { DATABASE_URL: 'libsql://media.turso.io', LOGS_DATABASE_URL: '' },
    secret_names: ['DATABASE_AUTH_TOKEN'],
    secrets: {},
  }
  const variables = {
    DATABASE_URL: 'http://127.0.0.1:9',
    DATABASE_AUTH_TOKEN: 'stored',
    LOGS_DATABASE_URL: 'http://127.0.0.1:9/logs',
    ACCOUNT_DATABASES: '[{"url":"http://127.0.0.1:9/other"}]',
  }
  expect(readDatabaseSettings(facts, variables)).toEqual({
    DATABASE_URL: 'libsql://media.turso.io',
    DATABASE_AUTH_TOKEN: 'stored',
    ACCOUNT_DATABASES: [],
  })
})
