import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../system/root.ts'
import { readDatabaseAddresses, readOpsSettings } from './settings.ts'

const SEVERAL = {
  DATABASE_URL: 'http://127.0.0.1:9',
  ACCOUNT_DATABASES: JSON.stringify([{ url: 'http://127.0.0.1:9/other' }]),
}
const REFUSED = 'ACCOUNT_DATABASES is for development only'

describe('several databases', () => {
  test.each([undefined, 'staging', 'production'])('are refused with ENVIRONMENT=%s', (ENVIRONMENT) => {
    const variables = { ...SEVERAL, ENVIRONMENT }
    expect(() => readOpsSettings(variables)).toThrow(REFUSED)
    expect(() => readDatabaseAddresses(variables)).toThrow(REFUSED)
  })

  test('are accepted in development', () => {
    const addresses = readDatabaseAddresses({ ...SEVERAL, ENVIRONMENT: 'local' })
    expect(addresses.map(({ url }) => url)).toEqual([SEVERAL.DATABASE_URL, 'http://127.0.0.1:9/other'])
  })

  test.each([
    ['ACCOUNT_DATABASES', { ACCOUNT_DATABASES: '[{"url":"libsql://media-2.turso.io"}]' }],
    ['DATABASE_URL', { DATABASE_URL: 'libsql://media.turso.io' }],
  ])('are refused if replicas may answer the reads of %s', (name, change) => {
    const variables = { ...SEVERAL, ENVIRONMENT: 'local', ...change }
    expect(() => readDatabaseAddresses(variables)).toThrow(`${name} must name only primaries`)
  })

  test('are refused by the command that migrates, before it connects', { tags: ['extended'] }, () => {
    const env = { PATH: process.env.PATH, ...SEVERAL, ENVIRONMENT: 'production' }
    const args = [join(ROOT, 'dev/migrate.ts')]
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining(REFUSED)])
  })
})
