import type { Deps } from '../deps.ts'
import { findConnection, listConnections } from './queries.ts'
import { isObjectKey, type ObjectAddress } from './rules/object-keys.ts'
import { signObject } from './sign.ts'

/** Sufficient for the largest file on a slow connection. Storage checks the expiry when a request starts. */
const ACCESS_SECONDS = 60 * 60

/** A signed request for an object of a customer. The URL is a credential: it must not be stored or logged. */
export interface SignedAccess {
  url: string
  headers: Record<string, string>
}

/** Signs a GET of an object of the account. Returns null if the connection or the object cannot exist. */
export async function grantRead(
  deps: Deps,
  accountId: number,
  { name, key }: ObjectAddress,
): Promise<SignedAccess | null> {
  const connection = isObjectKey(key) ? await findConnection(deps.db, accountId, name) : undefined
  if (connection === undefined) return null
  return { url: await signObject(deps, connection, { method: 'GET', key }, ACCESS_SECONDS), headers: {} }
}

/** Signs a PUT of an object with exactly the given type and number of bytes. Returns null like grantRead. */
export async function grantWrite(
  deps: Deps,
  accountId: number,
  { name, key }: ObjectAddress,
  { content_type, size_bytes }: { content_type: string; size_bytes: number },
): Promise<SignedAccess | null> {
  const connection = isObjectKey(key) ? await findConnection(deps.db, accountId, name) : undefined
  if (connection === undefined) return null
  const headers = { 'content-type': content_type, 'content-length': String(size_bytes) }
  return { url: await signObject(deps, connection, { method: 'PUT', key, headers }, ACCESS_SECONDS), headers }
}

/** Returns the names of the connections of an account. */
export async function listConnectionNames({ db }: Deps, accountId: number): Promise<Set<string>> {
  return new Set((await listConnections(db, accountId)).map(({ name }) => name))
}
