import { z } from 'zod'
import { parseKeys } from '../shared/protocol/signature.ts'
import { asciiEmail } from './emails/ascii-address.ts'
import { MessengerBots } from './messenger/bots.ts'
import type { QuotaCounter } from './platform/quotas/quota-counter.ts'

/** Bindings in wrangler.toml that are platform objects instead of text. */
interface Bindings {
  BUCKET: R2Bucket
  DISPATCH: Queue<unknown>
  /** Queue for request logs and web events. */
  RECORDS: Queue<unknown>
  QUOTAS: DurableObjectNamespace<QuotaCounter>
  /** Static files: pages, and the API reference viewer at /docs. */
  ASSETS: Fetcher
}

const KEY_BYTES_MIN = 24

/** Checks whether the text is base64 with enough bytes to make guessing infeasible. */
function isSecret(text: string): boolean {
  return (
    /^[A-Za-z0-9+/]+={0,2}$/.test(text) &&
    Math.floor((text.replace(/=+$/, '').length * 3) / 4) >= KEY_BYTES_MIN
  )
}

function keysLike(isKey: (key: string) => boolean, form: string) {
  const message = `must be ${form} with at least ${KEY_BYTES_MIN} bytes`
  return z
    .string()
    .transform(parseKeys)
    .pipe(z.array(z.string().refine(isKey, message)).min(1))
}

const Settings = z.object({
  ENVIRONMENT: z.enum(['local', 'production']),
  /** Public URL of this Worker, without a trailing slash. */
  PUBLIC_URL: z.url().refine((url) => !url.endsWith('/'), 'must not end in a slash'),
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  FLEET_URL: z.url(),
  FLEET_KEYS: keysLike(isSecret, 'base64 secrets'),
  /** Entries of the form `kid:base64secret`, with the signing key first. */
  SESSION_KEYS: keysLike(
    (key) => /^[^:]+:/.test(key) && isSecret(key.slice(key.indexOf(':') + 1)),
    'kid:base64secret',
  ),
  S3_ENDPOINT: z.url(),
  S3_BUCKET: z.string(),
  S3_ACCESS_KEY_ID: z.string(),
  S3_SECRET_ACCESS_KEY: z.string(),
  /**
   * True if storage treats an absent signed header as empty. Upload URLs are then signed in a way that prevents
   * them from copying objects.
   */
  S3_SIGNS_ABSENT_HEADERS: z.stringbool().default(false),
  /**
   * Base64 secrets that encrypt the credentials of customers' storage; the first one encrypts, and all of them decrypt.
   * Without a key, accounts cannot connect their own storage.
   */
  STORAGE_KEYS: z
    .string()
    .default('')
    .transform(parseKeys)
    .pipe(
      z.array(z.string().refine(isSecret, `must be base64 secrets with at least ${KEY_BYTES_MIN} bytes`)),
    ),
  ADMIN_EMAILS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(asciiEmail),
    ),
  /** A DNS-over-HTTPS resolver that returns JSON. '' disables DNS queries and is not allowed in production. */
  DNS_URL: z.union([z.url(), z.literal('')]).default('https://cloudflare-dns.com/dns-query'),
  /** The mail server. Without it, no email is sent, and no codes are required. */
  SMTP_HOST: z.string().optional(),
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** TLS from the first byte, STARTTLS, or no encryption (only for a mail server on the same machine). */
  SMTP_SECURE: z.enum(['tls', 'starttls', 'none']).default('tls'),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  /** Timeout for each step with the mail server. Emails that fail are retried later. */
  SMTP_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(15),
  MAIL_FROM: z.string().default('no-reply@localhost.test'),
  /** Where feedback is sent: an email address, a chat, or both. If neither is set, the feedback form is closed. */
  FEEDBACK_EMAIL: z.email().optional(),
  /** A chat that the first bot in MESSENGER_BOTS can write to. Group ids are negative. */
  FEEDBACK_CHAT_ID: z
    .string()
    .regex(/^-?[1-9]\d{0,14}$/, 'must be the id of a chat, an integer')
    .transform(Number)
    .optional(),
  /** Turnstile. Without the secret key, no captcha is required. */
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET_KEY: z.string().optional(),
  CAPTCHA_VERIFY_URL: z.url().default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  /** An OpenID Connect issuer. Without it, accounts need a password. */
  IDP_ISSUER: z.url().optional(),
  IDP_CLIENT_ID: z.string().optional(),
  IDP_CLIENT_SECRET: z.string().optional(),
  /**
   * How the client secret is sent, if the client is registered for only one method. Defaults to a method that the
   * issuer lists.
   */
  IDP_CLIENT_AUTH: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  /** Redirect page registered with the issuer. Defaults to /auth/callback on this service. */
  IDP_REDIRECT_URL: z.url().optional(),
  /** Paddle Billing. Without the key, card payments are disabled. */
  PADDLE_API_KEY: z.string().optional(),
  PADDLE_API_URL: z.url().default('https://api.paddle.com'),
  /** The notification destination's secret. During a rotation, it can be several secrets, separated by commas. */
  PADDLE_WEBHOOK_SECRET: z.string().default('').transform(parseKeys),
  /** The account's hosted checkout, or a page with Paddle.js. Defaults to the account's payment link. */
  PADDLE_CHECKOUT_URL: z.url().optional(),
  /** NOWPayments. Without the key, crypto payments are disabled. */
  NOWPAYMENTS_API_KEY: z.string().optional(),
  NOWPAYMENTS_API_URL: z.url().default('https://api.nowpayments.io/v1'),
  NOWPAYMENTS_IPN_SECRET: z.string().optional(),
  /** Account credentials, used to look up payments whose event did not arrive. */
  NOWPAYMENTS_EMAIL: z.string().optional(),
  NOWPAYMENTS_PASSWORD: z.string().optional(),
  /** A payment sandbox without real money. Not allowed in production. */
  PAYMENT_SANDBOX_URL: z.url().optional(),
  PAYMENT_SANDBOX_SECRET: z.string().optional(),
  /** Bots that send round videos to chats; see edge/messenger/bots.ts. If there are none, delivery is disabled. */
  MESSENGER_BOTS: MessengerBots,
  TELEGRAM_API_URL: z.url().default('https://api.telegram.org'),
  /** For tests only: allows jobs to import from private addresses and webhooks to reach them. */
  ALLOW_PRIVATE_SOURCES: z.stringbool().default(false),
  MAX_UPLOAD_GB: z.coerce.number().positive().default(5),
})

type Parsed = z.infer<typeof Settings>

/**
 * Settings that require another setting. For example, payment events could not be verified without a secret, and a
 * required captcha could not be solved without its site key. The site key may be set alone, because the secret is
 * added in a later step.
 */
const NEEDS = [
  ['PADDLE_API_KEY', 'PADDLE_WEBHOOK_SECRET'],
  ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  ['PAYMENT_SANDBOX_URL', 'PAYMENT_SANDBOX_SECRET'],
  ['FEEDBACK_CHAT_ID', 'MESSENGER_BOTS'],
  ['CAPTCHA_SECRET_KEY', 'CAPTCHA_SITE_KEY'],
  ['IDP_ISSUER', 'IDP_CLIENT_ID'],
] as const satisfies [keyof Parsed, keyof Parsed][]

function requireWhole(settings: Parsed): Parsed {
  for (const [name, needed] of NEEDS) {
    if (isGiven(settings[name]) && !isGiven(settings[needed])) {
      throw new Error(`${name} requires ${needed}. Set both.`)
    }
  }
  return settings
}

function isGiven(setting: string | number | readonly unknown[] | undefined): boolean {
  return typeof setting === 'number' || (setting !== undefined && setting.length > 0)
}

function requireSafe(settings: Parsed): Parsed {
  if (settings.ENVIRONMENT !== 'production') return settings
  if (settings.PAYMENT_SANDBOX_URL !== undefined)
    throw new Error('PAYMENT_SANDBOX_URL is not allowed in production. Remove it.')
  if (settings.DNS_URL === '')
    throw new Error('DNS_URL is required in production, to check webhook addresses.')
  if (settings.ALLOW_PRIVATE_SOURCES)
    throw new Error('ALLOW_PRIVATE_SOURCES is not allowed in production. Remove it.')
  if (settings.SMTP_HOST && settings.SMTP_SECURE === 'none') {
    throw new Error('SMTP_SECURE=none is not allowed in production. Use tls or starttls.')
  }
  return settings
}

export type Env = z.infer<typeof Settings> & Bindings

const parsed = new WeakMap<object, Env>()

/** Parses the Worker's environment once per isolate. The error names any missing settings. */
export function parseEnv(raw: object): Env {
  const known = parsed.get(raw)
  if (known) return known
  const { BUCKET, DISPATCH, RECORDS, QUOTAS, ASSETS } = raw as Bindings
  const settings = requireSafe(requireWhole(Settings.parse(raw)))
  const env = { ...settings, BUCKET, DISPATCH, RECORDS, QUOTAS, ASSETS }
  parsed.set(raw, env)
  return env
}
