import { SignJWT } from 'jose'
import { z } from 'zod'
import type { Client } from '../../dev/client.ts'
import { issueSession } from '../../edge/accounts/session-tokens.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import type { SharedSystem } from '../system/setup.ts'
import { type Account, openAccount } from './accounts.ts'

const Created = z.looseObject({ id: z.int(), plaintext: z.string() })

/** Runs one SQL statement, for changes that would otherwise require an administrator or a long wait. */
export async function execute(database_url: string, sql: string, args: (string | number)[]): Promise<void> {
  const database = openDatabase(database_url, undefined)
  try {
    await database.$client.execute({ sql, args })
  } finally {
    database.$client.close()
  }
}

export async function createKey({ client }: Account, max_per_day = 0) {
  const response = await client.send('POST', '/api/v1/tokens', { max_per_day })
  return Created.parse(await response.json())
}

/** Creates an account with a confirmed email address. */
export async function openConfirmedAccount({ api_url, database_url }: SharedSystem): Promise<Account> {
  const account = await openAccount(api_url)
  await execute(database_url, 'UPDATE accounts SET email_verified_at = 1 WHERE id = ?', [account.id])
  return account
}

/**
 * Creates an administrator. Signs in again, because existing sessions take up to four seconds to pick up the role.
 */
export async function openAdministrator(system: SharedSystem): Promise<Account> {
  const account = await openConfirmedAccount(system)
  await execute(system.database_url, 'UPDATE accounts SET is_admin = 1 WHERE id = ?', [account.id])
  await account.client.login(account.credentials)
  return account
}

/** Creates a paused key. Like all invalid keys here, it has never been used, so no cache considers it valid. */
export async function createPausedKey(owner: Account): Promise<string> {
  const { id, plaintext } = await createKey(owner)
  await owner.client.send('POST', `/api/v1/tokens/${id}/toggle`)
  return plaintext
}

export async function createDeletedKey(owner: Account): Promise<string> {
  const { id, plaintext } = await createKey(owner)
  await owner.client.send('DELETE', `/api/v1/tokens/${id}`)
  return plaintext
}

export async function createRevokedKey(owner: Account, { database_url }: SharedSystem) {
  const key = await createKey(owner)
  await execute(database_url, 'UPDATE api_keys SET revoked_at = 1 WHERE id = ?', [key.id])
  return key
}

/** Creates a key that has reached its daily limit of one request. */
export async function createSpentKey(owner: Account): Promise<string> {
  const { plaintext } = await createKey(owner, 1)
  const headers = { 'x-api-key': plaintext }
  const response = await fetch(new URL('/api/v1/me/ping', owner.client.apiUrl), { headers })
  if (!response.ok) throw new Error(`The key's only request failed with ${response.status}.`)
  return plaintext
}

/** Creates a session that a password change has ended. */
export async function createEndedSession(system: SharedSystem): Promise<string> {
  const { client, credentials } = await openAccount(system.api_url)
  const ended = client.token ?? ''
  await client.login(credentials)
  await client.send('POST', '/api/v1/auth/password', {
    current_password: credentials.password,
    new_password: `${credentials.password} new`,
  })
  return ended
}

/** Creates a session that has signed out. */
export async function createSignedOutSession(
  system: SharedSystem,
  path: 'logout' | 'logout-all',
): Promise<string> {
  const { client } = await openAccount(system.api_url)
  await client.send('POST', `/api/v1/auth/${path}`)
  return client.token ?? ''
}

/** Creates a session for an account that is then blocked. */
export async function createBlockedSession(system: SharedSystem): Promise<string> {
  const account = await openAccount(system.api_url)
  await account.client.login(account.credentials)
  await execute(system.database_url, 'UPDATE accounts SET blocked_at = 1 WHERE id = ?', [account.id])
  return account.client.token ?? ''
}

/** Issues the token of a session as it would be if the sign-in had been earlier. */
export async function ageSession({ session_keys }: SharedSystem, { token }: Client, age_ms: number) {
  const { sub: account_key, jti: session_id, epoch } = readClaims(token)
  return (await issueSession([session_keys], { account_key, session_id, epoch }, Date.now() - age_ms)).token
}

const Claims = z.object({ sub: z.string(), jti: z.string(), epoch: z.int() })

function readClaims(token: string | null) {
  const [, middle = ''] = (token ?? '').split('.')
  return Claims.parse(JSON.parse(Buffer.from(middle, 'base64url').toString()))
}

/** Longer than the lifetime of any session. */
const LONG_AGO_MS = 365 * 24 * 60 * 60 * 1000

/** Creates expired and forged session tokens. */
export async function makeBadSessions({ session_keys }: SharedSystem, owner: Account) {
  const [kid = '', secret = ''] = session_keys.split(':')
  const now = Date.now()
  const [, middle = ''] = (owner.client.token ?? '').split('.')
  const { sub: account_key, jti: session_id } = readClaims(owner.client.token)
  const claims = { account_key, epoch: 1, session_id }
  const payload = { sub: account_key, epoch: 1, jti: session_id, iss: 'media-credits' }
  const header = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  const issue = async (key: string) => (await issueSession([key], claims, now)).token
  return {
    expired: (await issueSession([session_keys], claims, now - LONG_AGO_MS)).token,
    unsigned: `${header}.${middle}.`,
    'signed by another secret': await issue(`${kid}:${btoa('x'.repeat(32))}`),
    'with an unknown key id': await issue(`${kid}-older:${secret}`),
    'without an expiry': await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(Buffer.from(secret, 'base64')),
    'with another algorithm': await new SignJWT({ ...payload, exp: Math.floor(now / 1000) + 600 })
      .setProtectedHeader({ alg: 'HS512', kid })
      .sign(Buffer.from(secret, 'base64')),
  }
}
