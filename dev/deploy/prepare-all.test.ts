import { expect, test } from 'vitest'
import { DatabaseSettings, prepareAll, readDatabaseSettings } from './prepare-all.ts'

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

test('several databases are not migrated if replicas may answer their reads', async () => {
  const settings = DatabaseSettings.parse({
    DATABASE_URL: 'http://127.0.0.1:9',
    ACCOUNT_DATABASES: '[{"url":"libsql://media-2.turso.io"}]',
  })
  await expect(prepareAll(settings)).rejects.toThrow('ACCOUNT_DATABASES must name only primaries')
})
