import type { SettingRule } from '../../shared/settings/setting-rule.ts'
import type { Settings } from './settings.ts'

const TEXT = { kind: 'text' } as const
const URL = { kind: 'url' } as const
const SANDBOX_HOST = /sandbox/i
/** Turnstile's keys for tests, which accept every visitor. */
const TEST_CAPTCHA = /^[123]x0{10,}/

/** Rules for every setting of a deployment; null where the schema checks everything. */
export const SETTING_RULES: Record<keyof Settings, SettingRule | null> = {
  ENVIRONMENT: null,
  PUBLIC_URL: URL,
  DATABASE_URL: URL,
  DATABASE_AUTH_TOKEN: { kind: 'secret', required: true },
  LOGS_DATABASE_URL: URL,
  LOGS_DATABASE_AUTH_TOKEN: { kind: 'secret' },
  REQUESTS_IN_FLIGHT_MIN: null,
  METRICS_TOKEN: { kind: 'secret' },
  FLEET_URL: URL,
  FLEET_KEYS: { kind: 'keys' },
  SESSION_KEYS: { kind: 'named_keys' },
  S3_ENDPOINT: URL,
  S3_BUCKET: TEXT,
  S3_ACCESS_KEY_ID: TEXT,
  S3_SECRET_ACCESS_KEY: { kind: 'secret' },
  S3_SIGNS_ABSENT_HEADERS: null,
  STORAGE_KEYS: { kind: 'keys' },
  ADMIN_EMAILS: TEXT,
  DNS_URL: URL,
  SMTP_HOST: TEXT,
  SMTP_PORT: null,
  SMTP_SECURE: null,
  SMTP_USER: TEXT,
  SMTP_PASSWORD: { kind: 'secret', length_min: 8 },
  SMTP_TIMEOUT_SECONDS: null,
  MAIL_FROM: TEXT,
  FEEDBACK_EMAIL: TEXT,
  FEEDBACK_CHAT_ID: null,
  CAPTCHA_SITE_KEY: { kind: 'text', sandbox: TEST_CAPTCHA },
  CAPTCHA_SECRET_KEY: { kind: 'secret', sandbox: TEST_CAPTCHA },
  CAPTCHA_VERIFY_URL: URL,
  IDP_ISSUER: URL,
  IDP_CLIENT_ID: TEXT,
  IDP_CLIENT_SECRET: { kind: 'secret', length_min: 12 },
  IDP_CLIENT_AUTH: null,
  IDP_REDIRECT_URL: URL,
  PADDLE_API_KEY: { kind: 'secret', sandbox: /^pdl_sdbx_/ },
  PADDLE_API_URL: { kind: 'url', sandbox: SANDBOX_HOST },
  PADDLE_WEBHOOK_SECRET: { kind: 'secret' },
  PADDLE_CHECKOUT_URL: { kind: 'url', sandbox: SANDBOX_HOST },
  NOWPAYMENTS_API_KEY: { kind: 'secret' },
  NOWPAYMENTS_API_URL: { kind: 'url', sandbox: SANDBOX_HOST },
  NOWPAYMENTS_IPN_SECRET: { kind: 'secret' },
  NOWPAYMENTS_EMAIL: TEXT,
  NOWPAYMENTS_PASSWORD: { kind: 'secret', length_min: 8 },
  PAYMENT_SANDBOX_URL: { kind: 'url', sandbox: /./ },
  PAYMENT_SANDBOX_SECRET: { kind: 'secret', sandbox: /./ },
  MESSENGER_BOTS: TEXT,
  TELEGRAM_API_URL: URL,
  ALLOW_PRIVATE_SOURCES: null,
  MAX_UPLOAD_GB: null,
}
