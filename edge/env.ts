import { z } from 'zod'
import { parseKeys } from '../shared/protocol/signature.ts'

/** The bindings of wrangler.toml that are objects of the platform, not text. */
interface Bindings {
  BUCKET: R2Bucket
  DISPATCH: Queue<unknown>
}

const keys = z.string().transform(parseKeys).pipe(z.array(z.string()).min(1))

const Settings = z.object({
  ENVIRONMENT: z.enum(['local', 'production']),
  /** Where clients reach this Worker, without a slash at the end. */
  PUBLIC_URL: z.url(),
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  FLEET_URL: z.url(),
  FLEET_KEYS: keys,
  /** `kid:base64secret`, the one to sign with first. */
  SESSION_KEYS: keys,
  S3_ENDPOINT: z.url(),
  S3_BUCKET: z.string(),
  S3_ACCESS_KEY_ID: z.string(),
  S3_SECRET_ACCESS_KEY: z.string(),
  ADMIN_EMAILS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  /** For tests alone: lets jobs import from addresses of this machine. */
  ALLOW_PRIVATE_SOURCES: z.stringbool().default(false),
  MAX_UPLOAD_GB: z.coerce.number().positive().default(5),
})

type Parsed = z.infer<typeof Settings>

function requireSafe(settings: Parsed): Parsed {
  if (settings.ENVIRONMENT === 'production' && settings.ALLOW_PRIVATE_SOURCES) {
    throw new Error('ALLOW_PRIVATE_SOURCES is for tests alone')
  }
  return settings
}

export type Env = z.infer<typeof Settings> & Bindings

const parsed = new WeakMap<object, Env>()

/** Parses the Worker's environment once for each isolate; a missing setting is named in the error. */
export function parseEnv(raw: object): Env {
  const known = parsed.get(raw)
  if (known) return known
  const bindings = raw as Bindings
  const env = { ...requireSafe(Settings.parse(raw)), BUCKET: bindings.BUCKET, DISPATCH: bindings.DISPATCH }
  parsed.set(raw, env)
  return env
}
