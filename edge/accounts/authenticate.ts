import { hashKey, KEY_PREFIX } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { findNotedPlace, isSpread } from '../platform/database/find-place.ts'
import { TtlCache } from '../platform/ttl-cache.ts'
import { keyPlaceName, sessionPlaceName } from './place-names.ts'
import { findLiveKey, findSessionAccount, touchKey } from './queries.ts'
import type { AccountCaller } from './rules/caller.ts'
import { touchSession } from './session-queries.ts'
import { type ReadSession, readSession } from './session-tokens.ts'

/**
 * How long a valid credential is cached. Revocation takes effect within this time. An account with a pending
 * payment is never cached, so every isolate sees its new plan at once.
 */
const FRESH_MS = 4000
/** Precision of the `last_used_at` of keys and sessions: reads of a job must not write. */
export const TOUCH_MS = 10 * 60 * 1000
const callers = new TtlCache<string, Authenticated>({ fresh_ms: FRESH_MS })

/** A caller, and the dependencies for the database of the account. */
export interface Authenticated {
  caller: AccountCaller
  db: Deps['db']
}

interface Found {
  caller: AccountCaller
  until: number
  awaits_payment: boolean
}

/** A credential from X-Api-Key or `Authorization: Bearer`. */
export interface Credential {
  from: 'x-api-key' | 'bearer'
  text: string
}

/** Returns the caller of a credential; null if the credential is not valid or its account is blocked. */
export async function authenticate(deps: Deps, credential: Credential): Promise<Authenticated | null> {
  const now = deps.clock.now()
  const cached_by = cacheOwner(deps)
  // Uses separate cache keys, so a key can never pass as a session token, or vice versa.
  const name = `${isKey(credential)}:${credential.text}`
  const known = callers.recall(cached_by, name, now)
  if (known !== undefined) return known
  const place = isKey(credential)
    ? await placeKeyCaller(deps, credential.text)
    : await placeSession(deps, credential.text)
  if (place === null) {
    callers.forget(cached_by, name)
    return null
  }
  const { caller, until, awaits_payment } = place.found
  const authenticated = { caller, db: place.deps.db }
  if (awaits_payment) callers.forget(cached_by, name)
  else callers.remember(cached_by, name, authenticated, now, until)
  return authenticated
}

/** The callers of all databases share a cache: a credential is looked up in it before its database is known. */
function cacheOwner(deps: Pick<Deps, 'db' | 'databases'>): Deps['db'] {
  return isSpread(deps) ? deps.databases[0] : deps.db
}

export function isKey({ from, text }: Credential): boolean {
  return from === 'x-api-key' || text.startsWith(KEY_PREFIX)
}

/** Clears the credential cache of this isolate, so a change made here takes effect here at once. */
export function forgetCredentials(deps: Deps): void {
  callers.clear(cacheOwner(deps))
}

/** Clears the cached credentials of one account. */
export function forgetAccount(deps: Pick<Deps, 'db' | 'databases'>, accountId: number): void {
  callers.forgetWhere(cacheOwner(deps), ({ caller }) => caller.account.id === accountId)
}

async function placeKeyCaller(deps: Deps, text: string) {
  if (!text.startsWith(KEY_PREFIX)) return null
  return findKeyPlace(deps, text, findKeyCaller)
}

/** Finds something about a key in the database that has it. */
export async function findKeyPlace<Found>(
  deps: Deps,
  text: string,
  find: (own: Deps, hash: string) => Promise<Found | null | undefined>,
) {
  const hash = await hashKey(text)
  return findNotedPlace(deps, text, keyPlaceName(hash), (own) => find(own, hash))
}

async function findKeyCaller(deps: Deps, hash: string): Promise<Found | null> {
  const now = deps.clock.now()
  const found = await findLiveKey(deps.db, hash, now)
  if (found === undefined) return null
  const { account, key, awaits_payment, last_used_at } = found
  if (now - (last_used_at ?? 0) >= TOUCH_MS) deps.defer(touchKey(deps.db, key.id, now))
  return { caller: { kind: 'key', account, key }, until: Number.POSITIVE_INFINITY, awaits_payment }
}

async function placeSession(deps: Deps, text: string) {
  const claims = await readSession(deps.env.SESSION_KEYS, text, deps.clock.now())
  if (claims === null) return null
  const name = sessionPlaceName(claims.account_key)
  return findNotedPlace(deps, claims.account_key, name, (own) => findSession(own, claims))
}

async function findSession(deps: Deps, claims: ReadSession): Promise<Found | null> {
  const now = deps.clock.now()
  const found = await findSessionAccount(deps.db, claims, now)
  if (found === undefined) return null
  const { account, awaits_payment, last_used_at } = found
  if (now - last_used_at >= TOUCH_MS) deps.defer(touchSession(deps.db, claims.session_id, now))
  const { session_id, epoch, issued_at: signed_in_at, expires_at } = claims
  const caller = { kind: 'session' as const, account, session_id, epoch, signed_in_at }
  return { caller, until: expires_at, awaits_payment }
}
