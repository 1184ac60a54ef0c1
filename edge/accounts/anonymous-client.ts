import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { addressSubject, blockSubject } from '../platform/http/subjects.ts'
import { ANONYMOUS, type Caller } from './rules/caller.ts'

/** An anonymous caller, identified by hashes so that no client address is stored. */
export type AnonymousClient = typeof ANONYMOUS & {
  /** Hash of the client address. Used for rate limits, because anyone can make up an X-Anonymous-Id. */
  address_key: string
  /** Hash of the client's IPv6 block, whose clients share limits; null for other addresses. */
  block_key: string | null
  /**
   * Owner of the caller's files: the hash of X-Anonymous-Id, which survives an address change, or the hash of the
   * address if there is no X-Anonymous-Id.
   */
  owner_key: string
  /**
   * All hashes under which the caller's uploads may be stored, including those sent without X-Anonymous-Id.
   */
  owner_keys: readonly string[]
}

const AnonymousId = z.uuid()

/** Returns the anonymous caller of a request. Contract: Conventions, Anonymous callers. */
export function anonymousClient({ env }: Pick<Deps, 'env'>, headers: Headers): AnonymousClient {
  const address = addressSubject(headers)
  const owner_keys = [...namesOfId(env, headers), ...namesOf(env, address)]
  const [owner_key = ''] = owner_keys
  const [secret = ''] = env.SESSION_KEYS
  const block = blockSubject(address)
  return {
    ...ANONYMOUS,
    address_key: nameKey(secret, address),
    block_key: block === null ? null : nameKey(secret, block),
    owner_key,
    owner_keys,
  }
}

/** Returns the submitter of a job: the caller, or an anonymous client with the hashes that own its files. */
export function submitterOf(deps: Pick<Deps, 'env'>, caller: Caller, headers: Headers) {
  return caller.kind === 'anonymous' ? anonymousClient(deps, headers) : caller
}

/**
 * Adds the owner keys of a client's earlier anonymous uploads. After sign-in, only the keys from X-Anonymous-Id
 * remain: an address is shared, so it never identifies an account's files.
 */
export function withOwnerKeys(deps: Pick<Deps, 'env'>, caller: Caller, headers: Headers): Caller {
  if (caller.account === null) {
    const { owner_keys, address_key, block_key } = anonymousClient(deps, headers)
    return { ...caller, owner_keys, address_key, block_key }
  }
  const owner_keys = namesOfId(deps.env, headers)
  return owner_keys.length === 0 ? caller : { ...caller, owner_keys }
}

/** Returns the hashes of a valid X-Anonymous-Id; an empty list if there is none. */
function namesOfId(env: Deps['env'], headers: Headers): string[] {
  const { data } = AnonymousId.safeParse(headers.get('x-anonymous-id')?.trim())
  return data === undefined ? [] : namesOf(env, `anonymous:${data.toLowerCase()}`)
}

/** Returns one hash per secret, with the current secret first. */
function namesOf({ SESSION_KEYS }: Deps['env'], subject: string): string[] {
  return SESSION_KEYS.map((secret) => nameKey(secret, subject))
}

function nameKey(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(`anonymous caller ${subject}`).digest('base64url').slice(0, 32)
}
