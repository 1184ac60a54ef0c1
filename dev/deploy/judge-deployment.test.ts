import { expect, test } from 'vitest'
import { type DeploymentFacts, judgeDeployment } from './judge-deployment.ts'

const FLEET_KEY = 'mVw3kq0hJ7cQyT5n1xUeR8bZsD2fGaLp9oXiYtKj4Nc='
const GOOD: DeploymentFacts = {
  environment: 'production',
  vars: {
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://media-credits.dev',
    DATABASE_URL: 'libsql://media.turso.io',
    FLEET_URL: 'https://fleet.media-credits.dev',
    S3_ENDPOINT: 'https://0f3a.r2.cloudflarestorage.com',
    S3_BUCKET: 'media-files',
  },
  secret_names: [
    'DATABASE_AUTH_TOKEN',
    'FLEET_KEYS',
    'SESSION_KEYS',
    'ADDRESS_KEYS',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ],
  secrets: {},
}

test('accepts an environment whose secrets are stored', () => {
  expect(judgeDeployment(GOOD)).toEqual([])
})

test('judges the value of a secret that the deployer gives', () => {
  expect(judgeDeployment({ ...GOOD, secrets: { FLEET_KEYS: FLEET_KEY } })).toEqual([])
  expect(judgeDeployment({ ...GOOD, secrets: { FLEET_KEYS: 'short' } })).toMatchObject([
    { name: 'FLEET_KEYS' },
  ])
})

test.each([
  ['a secret is not stored', { secret_names: GOOD.secret_names.slice(1) }, 'DATABASE_AUTH_TOKEN'],
  [
    'an address is a placeholder',
    { vars: { ...GOOD.vars, FLEET_URL: 'https://x.example.com' } },
    'FLEET_URL',
  ],
  [
    'the section is of another environment',
    { vars: { ...GOOD.vars, ENVIRONMENT: 'staging' } },
    'ENVIRONMENT',
  ],
  ['a secret is in the file', { vars: { ...GOOD.vars, FLEET_KEYS: FLEET_KEY } }, 'FLEET_KEYS'],
  [
    'several databases are stored, but not given',
    { secret_names: [...GOOD.secret_names, 'ACCOUNT_DATABASES'] },
    'ACCOUNT_DATABASES',
  ],
  ['a stored secret is misspelt', { secret_names: [...GOOD.secret_names, 'SMTP_PASSWROD'] }, 'SMTP_PASSWROD'],
])('names the setting when %s', (_, change, name) => {
  expect(judgeDeployment({ ...GOOD, ...change }).map((fault) => fault.name)).toEqual([name])
})

test.each([
  ['http://media-2.media-credits.dev', 'a-token-of-its-own', 'has a database (1) whose url is not encrypted'],
  ['libsql://media-2.media-credits.dev', 'short', 'has a database (1) whose token'],
  ['libsql://media-2.media-credits.dev', undefined, 'has a database (1) whose token is missing'],
])('judges another database %s with the token %s', (url, token, problem) => {
  const secrets = { ACCOUNT_DATABASES: JSON.stringify([{ url, token }]) }
  const vars = { ...GOOD.vars, DATABASE_URL: 'libsql://media.media-credits.dev' }
  expect(judgeDeployment({ ...GOOD, vars, secrets })).toEqual([
    { name: 'ACCOUNT_DATABASES', problem: expect.stringContaining(problem) },
  ])
})

test('refuses databases of Turso if there are several, because replicas answer their reads', () => {
  const secrets = {
    ACCOUNT_DATABASES: JSON.stringify([{ url: 'libsql://media-2.TURSO.io', token: 'a-token-of-its-own' }]),
  }
  expect(judgeDeployment({ ...GOOD, secrets })).toEqual(
    ['DATABASE_URL', 'ACCOUNT_DATABASES'].map((name) => ({
      name,
      problem: expect.stringContaining('only primaries'),
    })),
  )
})

test('accepts several databases whose addresses are given', () => {
  const secrets = {
    ACCOUNT_DATABASES: '[{"url":"libsql://media-2.media-credits.dev","token":"a-token-of-its-own"}]',
  }
  const vars = { ...GOOD.vars, DATABASE_URL: 'libsql://media.media-credits.dev' }
  const secret_names = [...GOOD.secret_names, 'ACCOUNT_DATABASES']
  expect(judgeDeployment({ ...GOOD, vars, secrets, secret_names })).toEqual([])
})

test('refuses tokens of databases in the file', () => {
  const vars = { ...GOOD.vars, ACCOUNT_DATABASES: '[]' }
  expect(judgeDeployment({ ...GOOD, vars })).toContainEqual({
    name: 'ACCOUNT_DATABASES',
    problem: expect.stringContaining('is a secret in wrangler.toml'),
  })
})
