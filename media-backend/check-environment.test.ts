import { expect, test } from 'vitest'
import { checkEnvironment } from './check-environment.ts'

const KEY = 'mVw3kq0hJ7cQyT5n1xUeR8bZsD2fGaLp9oXiYtKj4Nc='
const DEPLOYED = {
  REDIS_URL: 'redis://redis:6379',
  EDGE_URL: 'https://media-credits.dev',
  FLEET_KEYS: KEY,
  S3_ENDPOINT: 'https://0f3a.r2.cloudflarestorage.com',
  S3_ACCESS_KEY_ID: '7c1e0f4b',
  S3_SECRET_ACCESS_KEY: '8f4e1a90c7d25b36',
}

test('accepts the settings of a deployed fleet', () => {
  expect(checkEnvironment(DEPLOYED)).toMatchObject({ ENVIRONMENT: 'production', S3_BUCKET: 'media-files' })
})

test.each([
  ['no Redis', { REDIS_URL: undefined }, 'REDIS_URL is missing'],
  ['plain http', { EDGE_URL: 'http://media-credits.dev' }, 'EDGE_URL is not encrypted'],
  ['a placeholder', { S3_ENDPOINT: 'https://ACCOUNT_ID.r2.cloudflarestorage.com' }, 'S3_ENDPOINT is still'],
  ['a short key', { FLEET_KEYS: 'YWFh' }, 'FLEET_KEYS is too short'],
  ['one secret twice', { FLEET_KEYS: `${KEY},${KEY}` }, 'FLEET_KEYS lists the same secret twice'],
  ['private sources', { ALLOW_PRIVATE_SOURCES: 'true' }, 'ALLOW_PRIVATE_SOURCES is for tests'],
  ['a header without a value', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b,c' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  ['an unknown environment', { ENVIRONMENT: 'prod' }, 'ENVIRONMENT'],
])('refuses %s', (_, change, message) => {
  expect(() => checkEnvironment({ ...DEPLOYED, ...change })).toThrow(message)
})

test("accepts the addresses and keys of a developer's machine", () => {
  const local = { ENVIRONMENT: 'local', EDGE_URL: 'http://127.0.0.1', S3_ENDPOINT: 'http://127.0.0.1' }
  expect(checkEnvironment({ ...DEPLOYED, ...local, FLEET_KEYS: 'YWFh' }).ENVIRONMENT).toBe('local')
})
