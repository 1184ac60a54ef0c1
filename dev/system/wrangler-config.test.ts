import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPorts } from './ports.ts'
import { loadSecrets, paymentSandboxSecret } from './secrets.ts'
import { writeWranglerConfig } from './wrangler-config.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'media-config-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('generates the secrets once, readable only by the user', () => {
  const first = loadSecrets(directory)
  expect(loadSecrets(directory)).toEqual(first)
  expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('rejects an invalid secrets file', () => {
  writeFileSync(join(directory, 'secrets.json'), '{')
  expect(() => loadSecrets(directory)).toThrow('secrets.json is invalid')
})

test('writes wrangler.toml with local addresses, and no secrets except the credentials of storage', () => {
  const secrets = loadSecrets(directory)
  const file = writeWranglerConfig({
    directory,
    ports: readPorts({ PORT: '9000' }),
    secrets,
    vars: { MAX_UPLOAD_GB: '1' },
  })
  const text = readFileSync(file, 'utf8')
  const config = JSON.parse(text) as Record<string, unknown>
  expect(config.queues).toMatchObject({
    consumers: [
      { queue: 'media-dispatch', max_batch_timeout: 0 },
      { queue: 'media-records' },
      { queue: 'media-dispatch-dead' },
      { queue: 'media-records-dead' },
    ],
  })
  expect(config.vars).toMatchObject({
    ENVIRONMENT: 'local',
    PUBLIC_URL: 'http://127.0.0.1:9000',
    S3_ENDPOINT: 'http://127.0.0.1:9008/cdn-cgi/local/r2/s3',
    MAX_UPLOAD_GB: '1',
  })
  expect(text).not.toContain(secrets.fleet_keys)
  expect(text).not.toContain(secrets.session_keys)
  expect(text).not.toContain(paymentSandboxSecret(secrets))
  expect(readFileSync(join(directory, '.dev.vars'), 'utf8')).toContain(`FLEET_KEYS="${secrets.fleet_keys}"`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
