import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { addressSubject } from '../platform/http/subjects.ts'
import { ANONYMOUS, type Caller } from './rules/caller.ts'

/** An anonymous caller as it is kept: by names that nobody can read an address out of. */
export type AnonymousClient = typeof ANONYMOUS & {
  /** Of its address, by which limits count: an X-Anonymous-Id costs nothing to make up. */
  address_key: string
  /** What is its own goes by this: its X-Anonymous-Id, which outlives a change of address, else its address. */
  owner_key: string
  /** All names that its uploads may be stored under: also those it sent without its X-Anonymous-Id. */
  owner_keys: readonly string[]
}

const AnonymousId = z.uuid()

/** Contract: Conventions, Anonymous callers. */
export function anonymousClient({ env }: Pick<Deps, 'env'>, headers: Headers): AnonymousClient {
  const address = addressSubject(headers)
  const owner_keys = [...namesOfId(env, headers), ...namesOf(env, address)]
  const [owner_key = ''] = owner_keys
  return { ...ANONYMOUS, address_key: nameKey(env.SESSION_KEYS[0] ?? '', address), owner_key, owner_keys }
}

/**
 * Adds the names that a client's anonymous uploads are stored under. They stay with an X-Anonymous-Id when it
 * signs in; an address alone is shared, and names nobody who has an account.
 */
export function withOwnerKeys(deps: Pick<Deps, 'env'>, caller: Caller, headers: Headers): Caller {
  if (caller.account === null) {
    const { owner_keys, address_key } = anonymousClient(deps, headers)
    return { ...caller, owner_keys, address_key }
  }
  const owner_keys = namesOfId(deps.env, headers)
  return owner_keys.length === 0 ? caller : { ...caller, owner_keys }
}

/** The names of an X-Anonymous-Id; none where there is no valid one. */
function namesOfId(env: Deps['env'], headers: Headers): string[] {
  const { data } = AnonymousId.safeParse(headers.get('x-anonymous-id')?.trim())
  return data === undefined ? [] : namesOf(env, `anonymous:${data.toLowerCase()}`)
}

/** One name for each secret, the one in use first. */
function namesOf({ SESSION_KEYS }: Deps['env'], subject: string): string[] {
  return SESSION_KEYS.map((secret) => nameKey(secret, subject))
}

function nameKey(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(`anonymous caller ${subject}`).digest('base64url').slice(0, 32)
}
