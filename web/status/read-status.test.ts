import { expect, test } from 'vitest'
import { statusFrom } from './read-status.ts'

test.each([
  [
    'everything works',
    { status: 'ok' },
    { status: 'ok', checks: { database: 'ok', cache: 'ok' } },
    ['ok', 'ok', 'ok'],
  ],
  [
    'the cache is down',
    { status: 'ok' },
    { status: 'unavailable', checks: { database: 'ok', cache: 'down' } },
    ['ok', 'ok', 'down'],
  ],
  ['nothing responds', null, null, ['down', 'unknown', 'unknown']],
  ['an error came instead', { code: 'internal_error' }, { code: 'x' }, ['down', 'unknown', 'unknown']],
])('%s', (_name, health, ready, states) => {
  const { api, database, processing } = statusFrom(health, ready)
  expect([api, database, processing]).toEqual(states)
})
