import type { Deps } from '../deps.ts'
import { findConnection, listConnections } from './queries.ts'
import { isObjectKey, keyInBucket, type ObjectAddress } from './rules/object-keys.ts'
import { signObject } from './sign.ts'

/** Sufficient for the largest file on a slow connection. Storage checks the expiry when a request starts. */
const ACCESS_SECONDS = 60 * 60

/** A signed request for an object of a customer. The URL is a credential: it must not be stored or logged. */
export interface SignedAccess {
  url: string
  headers: Record<string, string>
}

/** Reason for which no access can be signed. */
export type AccessFault = 'unknown_connection' | 'invalid_key'

/** Signs a GET of an object of the account. Returns why, if the connection or the object cannot exist. */
export async function grantRead(
  deps: Deps,
  accountId: number,
  { name, key }: ObjectAddress,
): Promise<SignedAccess | AccessFault> {
  const connection = await findConnection(deps.db, accountId, name)
  if (connection === undefined) return 'unknown_connection'
  if (!isObjectKey(keyInBucket(connection.prefix, key))) return 'invalid_key'
  return { url: await signObject(deps, connection, { method: 'GET', key }, ACCESS_SECONDS), headers: {} }
}

/** Signs a PUT of an object with exactly the given type and number of bytes. Returns faults like grantRead. */
export async function grantWrite(
  deps: Deps,
  accountId: number,
  { name, key }: ObjectAddress,
  { content_type, size_bytes }: { content_type: string; size_bytes: number },
): Promise<SignedAccess | AccessFault> {
  const connection = await findConnection(deps.db, accountId, name)
  if (connection === undefined) return 'unknown_connection'
  if (!isObjectKey(keyInBucket(connection.prefix, key))) return 'invalid_key'
  const headers = { 'content-type': content_type, 'content-length': String(size_bytes) }
  return { url: await signObject(deps, connection, { method: 'PUT', key, headers }, ACCESS_SECONDS), headers }
}

/** Returns the folders of the connections of an account, by name. */
export async function loadFolders({ db }: Deps, accountId: number): Promise<Map<string, string>> {
  return new Map((await listConnections(db, accountId)).map(({ name, prefix }) => [name, prefix]))
}
