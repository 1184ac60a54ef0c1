import type { SharedSystem } from '../system/setup.ts'
import type { Account } from './accounts.ts'
import {
  createBlockedSession,
  createDeletedKey,
  createEndedSession,
  createKey,
  createPausedKey,
  createSpentKey,
  makeBadSessions,
} from './credentials.ts'

/** Who asks. All ids in paths are of the owner's things. */
export type Who = 'owner' | 'stranger' | 'administrator'
type Headers = Record<string, string>

/** What a request carries, and what it is worth to endpoints that ask. */
export interface Credential {
  headers: Headers
  /** Whose session is among it. Where keys are not taken, only this counts. */
  session: Who | null
  /** Whose key is among it; where keys are taken, this counts first. 'spent': a key over its day. */
  key: Who | 'bad' | 'spent' | null
}

/** Every state that a request's credentials can be in. */
export const CREDENTIALS = [
  'none',
  ...['no bearer', 'a malformed session', 'a malformed key', 'an unknown key', 'an unknown key as bearer'],
  ...['an expired session', 'an unsigned session', 'a session signed by another secret'],
  ...['a session named after an unknown key', 'a session without an end', 'a session of another algorithm'],
  ...['a session ended by a new password', 'a session of a blocked account'],
  ...['a paused key', 'a revoked key', 'a deleted key', 'a key over its day', 'a session as X-Api-Key'],
  ...[
    "the owner's session",
    "the owner's key",
    "the owner's key as bearer",
    "the owner's key in both headers",
  ],
  ...["the owner's session beside a paused key", "the owner's session beside a stranger's key"],
  ...["a stranger's session", "a stranger's key", "an administrator's session", "an administrator's key"],
] as const
export type CredentialName = (typeof CREDENTIALS)[number]

const bearer = (token: string | null): Headers => ({ authorization: `Bearer ${token}` })
const header = (key: string): Headers => ({ 'x-api-key': key })
const bad = (headers: Headers): Credential => ({ headers, session: null, key: 'bad' })

/** @param revoked a key of the owner's that an administrator revoked */
export async function makeCredentials(
  system: SharedSystem,
  people: Record<Who, Account>,
  revoked: string,
): Promise<Record<CredentialName, Credential>> {
  const { owner, stranger, administrator } = people
  const tokens = await makeBadSessions(system, owner)
  const [paused, key, strange] = [
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
    'a session named after an unknown key': bad(bearer(tokens['named after an unknown key'])),
    'a session without an end': bad(bearer(tokens['without an end'])),
    'a session of another algorithm': bad(bearer(tokens['of another algorithm'])),
    'a session ended by a new password': bad(bearer(await createEndedSession(system))),
    'a session of a blocked account': bad(bearer(await createBlockedSession(system))),
    'a paused key': bad(header(paused)),
    'a revoked key': bad(header(revoked)),
    'a deleted key': bad(header(await createDeletedKey(owner))),
    'a key over its day': { ...bad(header(await createSpentKey(owner))), key: 'spent' },
    'a session as X-Api-Key': bad(header(owner.client.token ?? '')),
    "the owner's session": session('owner'),
    "the owner's key": byKey('owner', header(key.plaintext)),
    "the owner's key as bearer": byKey('owner', bearer(key.plaintext)),
    "the owner's key in both headers": byKey('owner', { ...header(key.plaintext), ...bearer(key.plaintext) }),
    "the owner's session beside a paused key": {
      headers: { ...bearer(owner.client.token), ...header(paused) },
      session: 'owner',
      key: 'bad',
    },
    "the owner's session beside a stranger's key": {
      headers: { ...bearer(owner.client.token), ...header(strange.plaintext) },
      session: 'owner',
      key: 'stranger',
    },
    "a stranger's session": session('stranger'),
    "a stranger's key": byKey('stranger', header(strange.plaintext)),
    "an administrator's session": session('administrator'),
    "an administrator's key": byKey('administrator', header((await createKey(administrator)).plaintext)),
  }
}
