import { z } from 'zod'
import { parseKeys } from '../../shared/protocol/signature.ts'
import { CollectorHeaders } from '../../shared/settings/collector-headers.ts'
import { isKey, KEY_BYTES_MIN } from '../../shared/settings/judge-secret.ts'
import { DEPLOYMENTS } from '../../shared/settings/setting-rule.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { MessengerBots } from '../messenger/bots.ts'
import { AccountDatabases } from '../platform/database/account-databases.ts'

function keysLike(isWhole: (key: string) => boolean, form: string) {
  const message = `must be ${form} with at least ${KEY_BYTES_MIN} bytes`
  return z
    .string()
    .transform(parseKeys)
    .pipe(z.array(z.string().refine(isWhole, message)).min(1))
}

/** The settings of the edge, from the variables and secrets of the Worker. */
export const Settings = z.object({
  /** `local` allows addresses and secrets of a developer's machine. */
  ENVIRONMENT: z.enum(['local', ...DEPLOYMENTS]),
  /** Public URL of this Worker, without a trailing slash. */
  PUBLIC_URL: z.url().refine((url) => !url.endsWith('/'), 'must not end in a slash'),
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  /** Further databases, over which accounts are spread. Their order is their number and never changes. */
  ACCOUNT_DATABASES: AccountDatabases,
  /** A database of its own for request logs, so that they do not delay writes of credits and jobs. */
  LOGS_DATABASE_URL: z.url().optional(),
  LOGS_DATABASE_AUTH_TOKEN: z.string().optional(),
  /** A database of its own to which jobs move some time after their end. Without it, they stay. */
  ARCHIVE_DATABASE_URL: z.url().optional(),
  ARCHIVE_DATABASE_AUTH_TOKEN: z.string().optional(),
  /**
   * Number of concurrent requests that an isolate always accepts. While its answers are slow, it accepts no more
   * and refuses others with 503.
   */
  REQUESTS_IN_FLIGHT_MIN: z.coerce.number().int().min(1).default(32),
  /** Token with which the operator's monitoring reads /internal/metrics. Without it, there are no metrics. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** An OpenTelemetry collector (OTLP over HTTP), without /v1/traces. Without it, no spans are sent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .refine((url) => !url.endsWith('/'), 'must not end in a slash')
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: CollectorHeaders.optional(),
  FLEET_URL: z.url(),
  FLEET_KEYS: keysLike(isKey, 'base64 secrets'),
  /** Entries of the form `kid:base64secret`, with the signing key first. */
  SESSION_KEYS: keysLike(
    (key) => /^[^:]+:/.test(key) && isKey(key.slice(key.indexOf(':') + 1)),
    'kid:base64secret',
  ),
  /**
   * Base64 secrets that hash addresses which outlive an account; the first one hashes, and rows of all of them are found.
   * Keep a replaced key for a year, as long as the rows.
   */
  ADDRESS_KEYS: keysLike(isKey, 'base64 secrets'),
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
    .pipe(z.array(z.string().refine(isKey, `must be base64 secrets with at least ${KEY_BYTES_MIN} bytes`))),
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
  /** The company that sells, for receipts and confirmations. Real payments require it. */
  SELLER_NAME: z.string().trim().min(1).max(200).optional(),
  /** Street, postal code and city; may have several lines. */
  SELLER_ADDRESS: z.string().trim().min(1).max(500).optional(),
  SELLER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code such as DE')
    .optional(),
  /** Absent if the seller has none. */
  SELLER_VAT_ID: z.string().trim().min(1).max(32).optional(),
  SELLER_EMAIL: z.email().optional(),
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
  /** Allows webhooks to http: URLs, which anyone on the way can read. By default, only on a developer's machine. */
  ALLOW_HTTP_WEBHOOKS: z.stringbool().optional(),
  MAX_UPLOAD_GB: z.coerce.number().positive().default(5),
})
export type Settings = z.infer<typeof Settings>
