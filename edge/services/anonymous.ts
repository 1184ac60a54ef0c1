import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { ANONYMOUS } from '../rules/caller.ts'
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
  const { success, data } = AnonymousId.safeParse(headers.get('x-anonymous-id')?.trim())
  const owner = success ? `anonymous:${data.toLowerCase()}` : address
  const [owner_key = '', ...older] = env.SESSION_KEYS.map((secret) => nameKey(secret, owner))
  return {
    ...ANONYMOUS,
    address_key: nameKey(env.SESSION_KEYS[0] ?? '', address),
    owner_key,
    owner_keys: [owner_key, ...older],
  }
}

function nameKey(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(`anonymous caller ${subject}`).digest('base64url').slice(0, 32)
}
