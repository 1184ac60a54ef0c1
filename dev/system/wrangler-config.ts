import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { LOOPBACK, type Ports } from './ports.ts'
import { ROOT } from './root.ts'
import { addressKey, paymentSandboxSecret, type Secrets, storageKey } from './secrets.ts'

const S3_PATH = '/cdn-cgi/local/r2/s3'

/** Returns the S3 endpoint of the local R2, which shares the edge's port. */
export function storageUrl(ports: Ports): string {
  return `http://${LOOPBACK}:${ports.edge}${S3_PATH}`
}

/** Returns the S3 endpoint for clients, which adds CORS and ListParts to the local R2 (dev/local-storage). */
export function clientStorageUrl(ports: Ports): string {
  return `http://${LOOPBACK}:${ports.storage}${S3_PATH}`
}

export const BUCKET = 'media-files'
export const ADMIN_EMAIL = 'admin@localhost.test'
/** Address that receives the feedback form's messages. They arrive in the mail catcher. */
export const FEEDBACK_EMAIL = 'feedback@localhost.test'

const WranglerConfig = z.looseObject({
  main: z.string(),
  vars: z.record(z.string(), z.string()),
  r2_buckets: z.array(z.looseObject({ binding: z.string() })),
  assets: z.looseObject({ directory: z.string() }).optional(),
})

/** The edge's client credentials for the local OpenID provider, which listens only on loopback. */
export const LOCAL_CLIENT = { id: 'media-credits', secret: 'for-this-machine-alone' }

/**
 * Returns the URL to which the payment sandbox sends card events. Each crypto invoice specifies its own callback
 * URL.
 */
export function cardCallbackUrl(ports: Ports): string {
  return `${publicUrl(ports)}/api/v1/billing/callbacks/sandbox_card`
}

export function publicUrl(ports: Ports): string {
  return `http://${LOOPBACK}:${ports.edge}`
}

/** Returns the edge's non-secret variables with local addresses. */
export function localVars(ports: Ports): Record<string, string> {
  return {
    ENVIRONMENT: 'local',
    PUBLIC_URL: publicUrl(ports),
    DATABASE_URL: `http://${LOOPBACK}:${ports.database}`,
    FLEET_URL: `http://${LOOPBACK}:${ports.fleet}`,
    S3_ENDPOINT: clientStorageUrl(ports),
    S3_BUCKET: BUCKET,
    S3_SIGNS_ABSENT_HEADERS: 'true',
    ADMIN_EMAILS: ADMIN_EMAIL,
    // Disables DNS lookups, so no network is needed and every email domain is accepted.
    DNS_URL: '',
    SMTP_HOST: LOOPBACK,
    SMTP_PORT: String(ports.smtp),
    SMTP_SECURE: 'none',
    FEEDBACK_EMAIL,
    IDP_ISSUER: `http://${LOOPBACK}:${ports.identity}`,
    IDP_CLIENT_ID: LOCAL_CLIENT.id,
    IDP_CLIENT_SECRET: LOCAL_CLIENT.secret,
    SELLER_NAME: 'Example Media OÜ',
    SELLER_ADDRESS: 'Näidise tn 1\n10111 Tallinn',
    SELLER_COUNTRY: 'EE',
    SELLER_EMAIL: 'billing@localhost.test',
    PAYMENT_SANDBOX_URL: `http://${LOOPBACK}:${ports.payments}`,
  }
}

export function localSecrets(secrets: Secrets): Record<string, string> {
  return {
    FLEET_KEYS: secrets.fleet_keys,
    SESSION_KEYS: secrets.session_keys,
    STORAGE_KEYS: storageKey(secrets),
    ADDRESS_KEYS: addressKey(secrets),
    PAYMENT_SANDBOX_SECRET: paymentSandboxSecret(secrets),
    S3_ACCESS_KEY_ID: secrets.s3_access_key_id,
    S3_SECRET_ACCESS_KEY: secrets.s3_secret_access_key,
  }
}

/**
 * Writes the local wrangler configuration to `directory`: wrangler.toml with local addresses and the credentials
 * for the bucket's S3 endpoint. The secrets go into `.dev.vars` in the same folder, which wrangler reads.
 * @returns the path of the configuration file
 */
export function writeWranglerConfig(input: {
  directory: string
  ports: Ports
  secrets: Secrets
  vars: Record<string, string>
}): string {
  const { directory, ports, secrets, vars } = input
  const config = WranglerConfig.parse(parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')))
  const credentials = { accessKeyId: secrets.s3_access_key_id, secretAccessKey: secrets.s3_secret_access_key }
  const local = {
    ...config,
    // The static files have already been built by dev/setup.mjs.
    build: undefined,
    // The local system has one environment.
    env: undefined,
    main: join(ROOT, config.main),
    vars: { ...config.vars, ...localVars(ports), ...vars },
    r2_buckets: config.r2_buckets.map((bucket) => ({
      ...bucket,
      local_dev: { experimental_s3_credentials: credentials },
    })),
    ...(config.assets && { assets: { ...config.assets, directory: join(ROOT, config.assets.directory) } }),
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'wrangler.json')
  writeFileSync(file, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  const lines = Object.entries(localSecrets(secrets)).map(([name, value]) => `${name}="${value}"\n`)
  writeFileSync(join(directory, '.dev.vars'), lines.join(''), { mode: 0o600 })
  return file
}
