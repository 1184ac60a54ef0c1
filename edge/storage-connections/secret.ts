import type { Deps } from '../deps.ts'
import { nameOfKey, openText, sealText } from '../platform/crypto/sealed-text.ts'
import { ApiError } from '../platform/errors/api-error.ts'

/** Encrypts a secret access key for its row. Throws 503 if this server has no encryption key. */
export function sealSecret({ env }: Pick<Deps, 'env'>, secret: string) {
  const [key] = env.STORAGE_KEYS
  if (key === undefined) throw new ApiError('storage_connections_not_configured')
  return { sealedSecret: sealText([key], secret), sealedWith: nameOfKey(key) }
}

/** Decrypts a secret access key. Throws 503 if none of the keys of this server encrypted it. */
export function openSecret({ env }: Pick<Deps, 'env'>, sealed: string): string {
  const secret = openText(env.STORAGE_KEYS, sealed)
  if (secret === null) throw new ApiError('storage_connections_not_configured')
  return secret
}
