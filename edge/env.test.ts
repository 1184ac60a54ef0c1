import { expect, test } from 'vitest'
import { makeTestContext } from '../test/edge/worker/context.ts'
import { parseEnv } from './env.ts'

const SANDBOXES = ['PAYMENT_SANDBOX_URL', 'PAYMENT_SANDBOX_SECRET', 'IDP_ISSUER']
const UNSET = [...SANDBOXES, 'INTERNET_URL', 'TEST_ARCHIVE_URL', 'OTHER_DATABASE_URL']
const SECURE_URLS = ['PUBLIC_URL', 'DATABASE_URL', 'S3_ENDPOINT', 'FLEET_URL', 'TELEGRAM_API_URL', 'DNS_URL']
const SECURE_URL = 'https://edge.media-credits.dev'
const PRODUCTION = {
  ENVIRONMENT: 'production',
  SMTP_SECURE: 'tls',
  SMTP_HOST: 'smtp.media-credits.dev',
  MAIL_FROM: 'no-reply@media-credits.dev',
  ADMIN_EMAILS: 'admin@media-credits.dev',
  SELLER_EMAIL: 'billing@media-credits.dev',
  FEEDBACK_EMAIL: 'support@media-credits.dev',
  IDP_CLIENT_SECRET: 'qPz81-Lk_93xWv',
  DATABASE_AUTH_TOKEN: 'eyJhbGciOiJFZERTQSJ9.e30.9f_KqVwZ',
  ...Object.fromEntries(SECURE_URLS.map((name) => [name, SECURE_URL])),
  ...Object.fromEntries(UNSET.map((name) => [name, undefined])),
}

test.each([
  ['a payment sandbox', { PAYMENT_SANDBOX_URL: 'http://127.0.0.1:8794' }, 'PAYMENT_SANDBOX_URL'],
  ['email without TLS', { SMTP_SECURE: 'none' }, 'SMTP_SECURE'],
  ['private webhook addresses', { DNS_URL: '' }, 'DNS_URL'],
  ['jobs with private input addresses', { ALLOW_PRIVATE_SOURCES: 'true' }, 'ALLOW_PRIVATE_SOURCES'],
])('production refuses to start with %s', (_name, setting, named) => {
  const { env } = makeTestContext({ ...PRODUCTION, ...setting })
  expect(() => parseEnv(env)).toThrow(named)
})

test.each([
  ['a placeholder', { FLEET_URL: 'https://fleet.example.com' }, 'FLEET_URL is still a placeholder'],
  ['plain http', { DATABASE_URL: 'http://db.media-credits.dev' }, 'DATABASE_URL is not encrypted'],
  ['a database without a token', { DATABASE_AUTH_TOKEN: '' }, 'DATABASE_AUTH_TOKEN is missing'],
  ['a misspelt setting', { SMTP_PASSWORT: 'x' }, 'Did you mean SMTP_PASSWORD?'],
  ['a missing binding', { BUCKET: undefined }, 'BUCKET is missing'],
  ['an archive in the first database', { ARCHIVE_DATABASE_URL: SECURE_URL }, 'ARCHIVE_DATABASE_URL must not'],
  ['an unknown environment', { ENVIRONMENT: 'prod' }, 'ENVIRONMENT is invalid'],
])('production refuses to start with %s', (_name, setting, message) => {
  const { env } = makeTestContext({ ...PRODUCTION, ...setting })
  expect(() => parseEnv(env)).toThrow(message)
})

test('names all faults at once, and no value', () => {
  const { env } = makeTestContext({ ...PRODUCTION, SESSION_KEYS: 'k1:guess-me', FLEET_KEYS: undefined })
  expect(() => parseEnv(env)).toThrow(
    /SESSION_KEYS must be [^\n]+\n- FLEET_KEYS is missing|FLEET_KEYS is missing[^\n]*\n- SESSION_KEYS/,
  )
  expect(() => parseEnv(env)).not.toThrow('guess-me')
})

test('a Worker with a missing setting answers 503 on its health endpoint', async () => {
  const answer = await makeTestContext({ SESSION_KEYS: undefined }).call('GET', '/api/health')
  expect([answer.status, answer.code]).toEqual([503, 'settings_invalid'])
  expect(answer.headers.get('retry-after')).toBe('60')
})

test('production starts without unsafe settings', () => {
  expect(parseEnv(makeTestContext(PRODUCTION).env).ENVIRONMENT).toBe('production')
})

test.each([
  ['SESSION_KEYS', 'no-kid-and-no-secret'],
  ['SESSION_KEYS', 'kid:'],
  ['SESSION_KEYS', `kid:${btoa('too short a secret')}`],
  ['SESSION_KEYS', `kid:${'?'.repeat(44)}`],
  ['SESSION_KEYS', `${btoa('thirty-two bytes without a name!')}`],
  ['FLEET_KEYS', 'guess-me'],
  ['FLEET_KEYS', btoa('too short')],
])('%s is refused when it is %s, because anybody could sign with it', (name, value) => {
  expect(() => parseEnv(makeTestContext({ [name]: value }).env)).toThrow(name)
})

test('an address with a trailing slash is refused, because no file would be found under it', () => {
  expect(() => parseEnv(makeTestContext({ PUBLIC_URL: 'https://media.example.com/' }).env)).toThrow(
    'PUBLIC_URL',
  )
})

test.each([
  [{ PADDLE_API_KEY: 'pdl_live_apikey_x' }, 'PADDLE_WEBHOOK_SECRET'],
  [{ NOWPAYMENTS_API_KEY: 'x' }, 'NOWPAYMENTS_IPN_SECRET'],
  [{ PAYMENT_SANDBOX_SECRET: undefined }, 'PAYMENT_SANDBOX_SECRET'],
])('%j alone is refused, because webhooks could not be verified', (settings, named) => {
  expect(() => parseEnv(makeTestContext(settings).env)).toThrow(named)
})

test.each([
  ['card payments', { PADDLE_API_KEY: 'pdl_live_apikey_x', PADDLE_WEBHOOK_SECRET: 'x' }],
  ['crypto payments', { NOWPAYMENTS_API_KEY: 'x', NOWPAYMENTS_IPN_SECRET: 'x' }],
])('%s are refused without a seller, because receipts must name one', (_name, payments) => {
  const unnamed = { SELLER_NAME: undefined, SELLER_ADDRESS: undefined }
  expect(() => parseEnv(makeTestContext({ ...payments, ...unnamed }).env)).toThrow(/SELLER_NAME is missing/)
  expect(parseEnv(makeTestContext(payments).env)).toMatchObject({ SELLER_COUNTRY: 'EE' })
})

test.each([
  ['a captcha without a site key', { CAPTCHA_SECRET_KEY: 'x' }, 'CAPTCHA_SITE_KEY'],
  ['a captcha with an empty site key', { CAPTCHA_SECRET_KEY: 'x', CAPTCHA_SITE_KEY: '' }, 'CAPTCHA_SITE_KEY'],
  ['an issuer without a client', { IDP_CLIENT_ID: undefined }, 'IDP_CLIENT_ID'],
])('%s is refused, because nobody could sign in', (_name, settings, named) => {
  expect(() => parseEnv(makeTestContext(settings).env)).toThrow(named)
})

test.each([
  ['a captcha', { CAPTCHA_SECRET_KEY: 'x', CAPTCHA_SITE_KEY: 'x' }],
  ['the site key, set before the secret', { CAPTCHA_SITE_KEY: 'x' }],
  ['an issuer with a public client', { IDP_CLIENT_SECRET: undefined }],
  ['leftover settings of a removed issuer', { IDP_ISSUER: undefined }],
  ['a disabled captcha', { CAPTCHA_SECRET_KEY: '' }],
])('%s is accepted', (_name, settings) => {
  expect(parseEnv(makeTestContext(settings).env)).toMatchObject(settings)
})

test.each([
  ['-100123', 'MESSENGER_BOTS'],
  ['@chat', 'FEEDBACK_CHAT_ID'],
])('the feedback chat %s is refused when no bot can write to it', (FEEDBACK_CHAT_ID, named) => {
  expect(() => parseEnv(makeTestContext({ FEEDBACK_CHAT_ID }).env)).toThrow(named)
})

test('a missing setting is named', () => {
  expect(() => parseEnv(makeTestContext({ FLEET_URL: undefined }).env)).toThrow('FLEET_URL')
})

const BOT = { id: 7, username: 'round_bot', token: '7:ABC-def_1', secret: 'a-word-of-16-letters' }

test.each([
  ['', []],
  [JSON.stringify([BOT]), [BOT]],
  ['7:round_bot:7:ABC-def_1:a-word-of-16-letters', [BOT]],
  ['7:round_bot:ABC-def_1:a-word-of-16-letters', [BOT]],
  [
    '7:round_bot:ABC-def_1:a-word-of-16-letters, 8:other_bot:8:XYZ:another-word-of-theirs',
    [BOT, { id: 8, username: 'other_bot', token: '8:XYZ', secret: 'another-word-of-theirs' }],
  ],
])('bots are parsed from %j', (MESSENGER_BOTS, bots) => {
  expect(parseEnv(makeTestContext({ MESSENGER_BOTS }).env).MESSENGER_BOTS).toEqual(bots)
})

test.each([
  'nonsense',
  '[{"id": 7}]',
  '[not JSON',
  '7:round_bot:ABC:short',
  '7:@round_bot:ABC:a-word-of-16-letters',
  '7:round_bot:ABC:a-word-of-16-letters,7:other_bot:ABC:a-word-of-16-letters',
])('%j is refused as a list of bots', (MESSENGER_BOTS) => {
  expect(() => parseEnv(makeTestContext({ MESSENGER_BOTS }).env)).toThrow('MESSENGER_BOTS')
})
