import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Secrets = z.object({
  fleet_keys: z.string().min(1),
  session_keys: z.string().min(1),
  s3_access_key_id: z.string().min(1),
  s3_secret_access_key: z.string().min(1),
  admin_password: z.string().min(8),
})
export type Secrets = z.infer<typeof Secrets>

/** Reads this machine's secrets. The first start generates them. */
export function loadSecrets(dataDirectory: string): Secrets {
  const file = join(dataDirectory, 'secrets.json')
  if (!existsSync(file)) {
    const fresh = makeSecrets()
    writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return fresh
  }
  const read = z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('not JSON')
        return z.NEVER
      }
    })
    .pipe(Secrets)
    .safeParse(readFileSync(file, 'utf8'))
  if (read.success) return read.data
  throw new Error(
    `${file} is invalid. Delete ${dataDirectory}, which contains only local data, and start again.`,
  )
}

/** Derives the secret that encrypts the credentials of customers' storage. */
export function storageKey({ session_keys }: Pick<Secrets, 'session_keys'>): string {
  return createHash('sha256').update(`storage connections ${session_keys}`).digest('base64')
}

/** Derives the secret that hashes addresses of deleted accounts. */
export function addressKey({ session_keys }: Pick<Secrets, 'session_keys'>): string {
  return createHash('sha256').update(`addresses ${session_keys}`).digest('base64')
}

/** Derives the payment sandbox's secret, which is both its API key and the key that signs its events. */
export function paymentSandboxSecret({ fleet_keys }: Pick<Secrets, 'fleet_keys'>): string {
  return createHash('sha256').update(`payment sandbox ${fleet_keys}`).digest('hex')
}

export function makeSecrets(): Secrets {
  return {
    fleet_keys: randomBytes(32).toString('base64'),
    session_keys: `local1:${randomBytes(32).toString('base64')}`,
    s3_access_key_id: randomBytes(16).toString('hex'),
    s3_secret_access_key: randomBytes(32).toString('hex'),
    admin_password: randomBytes(18).toString('base64url'),
  }
}
