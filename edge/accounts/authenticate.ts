import { hashKey, KEY_PREFIX } from '../api-keys/key-text.ts'
import type { Deps } from '../deps.ts'
import { TtlCache } from '../platform/ttl-cache.ts'
import { findLiveKey, findSessionAccount, touchKey } from './queries.ts'
import type { AccountCaller } from './rules/caller.ts'
import { readSession } from './session-tokens.ts'

/**
 * How long a valid credential is cached. Revocation takes effect within this time. An account with a pending
 * payment is never cached, so every isolate sees its new plan at once.
 */
const FRESH_MS = 4000
/** Precision of a key's `last_used_at`: reads of a job must not write. */
export const TOUCH_MS = 10 * 60 * 1000
const callers = new TtlCache<string, AccountCaller>({ fresh_ms: FRESH_MS })

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
export async function authenticate(deps: Deps, credential: Credential): Promise<AccountCaller | null> {
  const now = deps.clock.now()
  // Uses separate cache keys, so a key can never pass as a session token, or vice versa.
  const name = `${isKey(credential)}:${credential.text}`
  const known = callers.recall(deps.db, name, now)
  if (known !== undefined) return known
  const found = isKey(credential)
    ? await findKeyCaller(deps, credential.text)
    : await findSession(deps, credential.text)
  if (found === null || found.awaits_payment) {
    callers.forget(deps.db, name)
    return found?.caller ?? null
  }
  callers.remember(deps.db, name, found.caller, now, found.until)
  return found.caller
}

export function isKey({ from, text }: Credential): boolean {
  return from === 'x-api-key' || text.startsWith(KEY_PREFIX)
}

/** Clears the credential cache of this isolate, so a change made here takes effect here at once. */
export function forgetCredentials({ db }: Deps): void {
  callers.clear(db)
}

/** Clears the cached credentials of one account. */
export function forgetAccount({ db }: Pick<Deps, 'db'>, accountId: number): void {
  callers.forgetWhere(db, ({ account }) => account.id === accountId)
}

async function findKeyCaller(deps: Deps, text: string): Promise<Found | null> {
  if (!text.startsWith(KEY_PREFIX)) return null
  const now = deps.clock.now()
  const found = await findLiveKey(deps.db, await hashKey(text), now)
  if (found === undefined) return null
  const { account, key, awaits_payment, last_used_at } = found
  if (now - (last_used_at ?? 0) >= TOUCH_MS) deps.defer(touchKey(deps.db, key.id, now))
  return { caller: { kind: 'key', account, key }, until: Number.POSITIVE_INFINITY, awaits_payment }
}

async function findSession(deps: Deps, text: string): Promise<Found | null> {
  const now = deps.clock.now()
  const claims = await readSession(deps.env.SESSION_KEYS, text, now)
  if (claims === null) return null
  const found = await findSessionAccount(deps.db, claims, now)
  if (found === undefined) return null
  const { account, awaits_payment } = found
  const { session_id, epoch, issued_at: signed_in_at, expires_at } = claims
  const caller = { kind: 'session' as const, account, session_id, epoch, signed_in_at }
  return { caller, until: expires_at, awaits_payment }
}
