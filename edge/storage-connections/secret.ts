import type { Deps } from '../deps.ts'
import { openText, sealText } from '../platform/crypto/sealed-text.ts'
import { ApiError } from '../platform/errors/api-error.ts'

/** Encrypts a secret access key. Throws 503 if this server has no encryption key. */
export function sealSecret({ env }: Pick<Deps, 'env'>, secret: string): string {
  if (env.STORAGE_KEYS.length === 0) throw new ApiError('storage_connections_not_configured')
  return sealText(env.STORAGE_KEYS, secret)
}

/** Decrypts a secret access key. Throws 503 if none of the keys of this server encrypted it. */
export function openSecret({ env }: Pick<Deps, 'env'>, sealed: string): string {
  const secret = openText(env.STORAGE_KEYS, sealed)
  if (secret === null) throw new ApiError('storage_connections_not_configured')
  return secret
}
