import type { SharedSystem } from '../system/setup.ts'
import type { Account } from './accounts.ts'
import {
  createBlockedSession,
  createDeletedKey,
  createEndedSession,
  createKey,
  createPausedKey,
  createSignedOutSession,
  createSpentKey,
  makeBadSessions,
} from './credentials.ts'

/** The accounts that make requests. All ids in paths belong to the owner. */
export type Who = 'owner' | 'stranger' | 'administrator'
type Headers = Record<string, string>

/** The credentials of a request and the accounts they identify. */
export interface Credential {
  headers: Headers
  /** The session's account. Endpoints that do not accept keys use only this account. */
  session: Who | null
  /**
   * The key's account, which takes precedence where keys are accepted. `spent` means that the key is over its daily
   * limit.
   */
  key: Who | 'bad' | 'spent' | null
}

/** Every state that a request's credentials can be in. */
export const CREDENTIALS = [
  'none',
  ...['no bearer', 'a malformed session', 'a malformed key', 'an unknown key', 'an unknown key as bearer'],
  ...['an expired session', 'an unsigned session', 'a session signed by another secret'],
  ...['a session with an unknown key id', 'a session without an expiry', 'a session with another algorithm'],
  ...['a session ended by a new password', 'a session ended by a sign-out'],
  ...['a session ended by a sign-out everywhere', 'a session of a blocked account'],
  ...[
    'a paused key',
    'a revoked key',
    'a deleted key',
    'a key over its daily limit',
    'a session as X-Api-Key',
  ],
  ...[
    "the owner's session",
    "the owner's key",
    "the owner's key as bearer",
    "the owner's key in both headers",
  ],
  ...["the owner's session with a paused key", "the owner's session with a stranger's key"],
  ...["a stranger's session", "a stranger's key", "an administrator's session", "an administrator's key"],
] as const
export type CredentialName = (typeof CREDENTIALS)[number]

const bearer = (token: string | null): Headers => ({ authorization: `Bearer ${token}` })
const header = (key: string): Headers => ({ 'x-api-key': key })
const bad = (headers: Headers): Credential => ({ headers, session: null, key: 'bad' })

/** @param revoked the owner's key that an administrator revoked */
export async function makeCredentials(
  system: SharedSystem,
  people: Record<Who, Account>,
  revoked: string,
): Promise<Record<CredentialName, Credential>> {
  const { owner, stranger, administrator } = people
  const tokens = await makeBadSessions(system, owner)
  const [paused, key, otherKey] = [
    await createPausedKey(owner),
    await createKey(owner),
    await createKey(stranger),
  ]
  const session = (who: Who): Credential => ({
    headers: bearer(people[who].client.token),
    session: who,
    key: null,
  })
  const byKey = (who: Who, headers: Headers): Credential => ({ headers, session: null, key: who })
  const unknown = `mk_${crypto.randomUUID()}`
  return {
    none: { headers: {}, session: null, key: null },
    'no bearer': bad({ authorization: 'Basic dXNlcjpwYXNzd29yZA==' }),
    'a malformed session': bad(bearer('not.a.token')),
    'a malformed key': bad(header('not a key')),
    'an unknown key': bad(header(unknown)),
    'an unknown key as bearer': bad(bearer(unknown)),
    'an expired session': bad(bearer(tokens.expired)),
    'an unsigned session': bad(bearer(tokens.unsigned)),
    'a session signed by another secret': bad(bearer(tokens['signed by another secret'])),
    'a session with an unknown key id': bad(bearer(tokens['with an unknown key id'])),
    'a session without an expiry': bad(bearer(tokens['without an expiry'])),
    'a session with another algorithm': bad(bearer(tokens['with another algorithm'])),
    'a session ended by a new password': bad(bearer(await createEndedSession(system))),
    'a session ended by a sign-out': bad(bearer(await createSignedOutSession(system, 'logout'))),
    'a session ended by a sign-out everywhere': bad(
      bearer(await createSignedOutSession(system, 'logout-all')),
    ),
    'a session of a blocked account': bad(bearer(await createBlockedSession(system))),
    'a paused key': bad(header(paused)),
    'a revoked key': bad(header(revoked)),
    'a deleted key': bad(header(await createDeletedKey(owner))),
    'a key over its daily limit': { ...bad(header(await createSpentKey(owner))), key: 'spent' },
    'a session as X-Api-Key': bad(header(owner.client.token ?? '')),
    "the owner's session": session('owner'),
    "the owner's key": byKey('owner', header(key.plaintext)),
    "the owner's key as bearer": byKey('owner', bearer(key.plaintext)),
    "the owner's key in both headers": byKey('owner', { ...header(key.plaintext), ...bearer(key.plaintext) }),
    "the owner's session with a paused key": {
      headers: { ...bearer(owner.client.token), ...header(paused) },
      session: 'owner',
      key: 'bad',
    },
    "the owner's session with a stranger's key": {
      headers: { ...bearer(owner.client.token), ...header(otherKey.plaintext) },
      session: 'owner',
      key: 'stranger',
    },
    "a stranger's session": session('stranger'),
    "a stranger's key": byKey('stranger', header(otherKey.plaintext)),
    "an administrator's session": session('administrator'),
    "an administrator's key": byKey('administrator', header((await createKey(administrator)).plaintext)),
  }
}
