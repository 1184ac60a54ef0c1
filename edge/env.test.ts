import { expect, test } from 'vitest'
import { makeWorld } from '../test/edge/worker/world.ts'
import { parseEnv } from './env.ts'

test.each([
  ['letters without TLS', { SMTP_SECURE: 'none' }, 'SMTP_SECURE'],
  ['jobs that read addresses of its own network', { ALLOW_PRIVATE_SOURCES: 'true' }, 'ALLOW_PRIVATE_SOURCES'],
])('production starts with no %s', (_name, setting, named) => {
  const { env } = makeWorld({ ENVIRONMENT: 'production', SMTP_SECURE: 'tls', ...setting })
  expect(() => parseEnv(env)).toThrow(named)
})

test('a setting that is missing is named', () => {
  expect(() => parseEnv(makeWorld({ FLEET_URL: undefined }).env)).toThrow('FLEET_URL')
})
