import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { ANONYMOUS, type Caller } from '../rules/caller.ts'
import { addressSubject } from './subjects.ts'

/** An anonymous caller as it is kept: by names that nobody can read an address out of. */
export type AnonymousClient = typeof ANONYMOUS & {
  /** Of its address, by which limits count: an X-Anonymous-Id costs nothing to make up. */
  address_key: string
  /** What is its own goes by this: its X-Anonymous-Id, which outlives a change of address, else its address. */
  owner_key: string
  /** All names that `owner_key` may have been kept under, while secrets change. */
  owner_keys: readonly string[]
}

const AnonymousId = z.uuid()

/** Open names: Conventions, anonymous callers. */
export function anonymousClient({ env }: Pick<Deps, 'env'>, headers: Headers): AnonymousClient {
  const address = addressSubject(headers)
  const id = readId(headers)
  const owner = id === null ? address : `anonymous:${id}`
  const [owner_key = '', ...older] = env.SESSION_KEYS.map((secret) => nameKey(secret, owner))
  return {
    ...ANONYMOUS,
    address_key: nameKey(env.SESSION_KEYS[0] ?? '', address),
    owner_key,
    owner_keys: [owner_key, ...older],
  }
}

/**
 * Adds the names that a client's anonymous uploads are stored under. They stay with an X-Anonymous-Id when it
 * signs in; an address alone is shared, and names nobody who has an account.
 */
export function withOwnerKeys(deps: Pick<Deps, 'env'>, caller: Caller, headers: Headers): Caller {
  if (caller.account !== null && readId(headers) === null) return caller
  return { ...caller, owner_keys: anonymousClient(deps, headers).owner_keys }
}

function readId(headers: Headers): string | null {
  return AnonymousId.safeParse(headers.get('x-anonymous-id')?.trim()).data?.toLowerCase() ?? null
}

function nameKey(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(`anonymous caller ${subject}`).digest('base64url').slice(0, 32)
}
