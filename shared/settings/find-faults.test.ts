import { expect, test } from 'vitest'
import { findSettingFaults } from './find-faults.ts'
import type { SettingRule } from './setting-rule.ts'

const KEY = 'mVw3kq0hJ7cQyT5n1xUeR8bZsD2fGaLp9oXiYtKj4Nc='
const OTHER_KEY = 'Zr6Pd1uWq8sEvB3mKx0yHt7CnJ5gLf2aQoTi9RkUeYw='

const RULES = {
  API: { kind: 'url', sandbox: /sandbox/ },
  REDIS: { kind: 'private_url' },
  KEYS: { kind: 'keys' },
  SESSIONS: { kind: 'named_keys', required: true },
  TOKEN: { kind: 'secret', length_min: 12 },
  SENDER: { kind: 'text' },
  NUMBER: null,
} satisfies Record<string, SettingRule | null>

const GOOD = {
  API: 'https://api.media.dev',
  REDIS: 'redis://redis:6379',
  KEYS: `${KEY},${OTHER_KEY}`,
  SESSIONS: 'k1:Q2hK9wXv5tRb7mZs0pLn3yGd8cJf1uVa6eTo4iNq2Wx=',
  TOKEN: 'tok_93hKq0vB',
  SENDER: 'no-reply@media.dev',
  NUMBER: '5',
}

test('accepts a whole configuration, with an optional setting or without', () => {
  expect(findSettingFaults(GOOD, RULES, 'production')).toEqual([])
  expect(findSettingFaults({ ...GOOD, TOKEN: undefined, API: '' }, RULES, 'production')).toEqual([])
})

test.each([
  ['missing', { SESSIONS: '' }, 'SESSIONS', /missing/],
  ['an address of the documentation', { API: 'https://media.example.com' }, 'API', /placeholder/],
  ['an ellipsis', { SENDER: '…' }, 'SENDER', /placeholder/],
  ['the account of a template', { API: 'https://ACCOUNT_ID.r2.dev' }, 'API', /placeholder/],
  ['a word that stands for a secret', { TOKEN: 'change-me' }, 'TOKEN', /placeholder/],
  ['plain http', { API: 'http://api.media.dev' }, 'API', /not encrypted/],
  ['plain Redis over the internet', { REDIS: 'redis://redis.media.dev:6379' }, 'REDIS', /not encrypted/],
  ['on the machine itself', { API: 'https://user:pass@localhost:8787' }, 'API', /machine itself/],
  ['on the machine itself, in IPv6', { REDIS: 'redis://[::1]:6379' }, 'REDIS', /machine itself/],
  ['in a private network', { API: 'https://192.168.1.5/' }, 'API', /private network/],
  ['a sandbox', { API: 'https://sandbox-api.media.dev' }, 'API', /sandbox/],
  ['a short key', { KEYS: 'c2hvcnQgc2hvcnQgc2hvcnQ=' }, 'KEYS', /too short/],
  ['a key that is not base64', { KEYS: 'guess-me' }, 'KEYS', /base64/],
  ['a weak key', { KEYS: 'A'.repeat(44) }, 'KEYS', /weak/],
  ['a short secret', { TOKEN: 'abc' }, 'TOKEN', /too short: 3/],
  ['a weak secret', { TOKEN: 'abababababababab' }, 'TOKEN', /weak/],
  ['two keys with one id', { SESSIONS: `k1:${KEY},k1:${OTHER_KEY}`, KEYS: '' }, 'SESSIONS', /same id/],
  ['one key twice', { KEYS: `${KEY},${KEY}` }, 'KEYS', /twice/],
  ['the secret of another setting', { SESSIONS: `k1:${KEY}`, KEYS: KEY }, 'KEYS', /same secret as SESSIONS/],
])('names a setting that is %s, without its value', (_, change, name, problem) => {
  const faults = findSettingFaults({ ...GOOD, ...change }, RULES, 'production')
  expect(faults).toEqual([{ name, problem: expect.stringMatching(problem) }])
  const [value = ''] = Object.values(change)
  if (value.length > 5) expect(JSON.stringify(faults)).not.toContain(value)
})

test('staging may use the sandbox of a provider', () => {
  const given = { ...GOOD, API: 'https://sandbox-api.media.dev' }
  expect(findSettingFaults(given, RULES, 'staging')).toEqual([])
})

test('compares secrets of settings with a format of their own', () => {
  const more = [{ name: 'BOTS', secret: GOOD.TOKEN }]
  expect(findSettingFaults(GOOD, RULES, 'staging', more)).toMatchObject([{ name: 'BOTS' }])
})
