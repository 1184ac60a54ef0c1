import { AwsClient } from 'aws4fetch'
import type { Deps } from '../deps.ts'
import type { StoredConnection } from './queries.ts'
import { encodeKey, keyInBucket } from './rules/object-keys.ts'
import { openSecret } from './secret.ts'

interface ObjectRequest {
  method: 'GET' | 'PUT'
  key: string
  headers?: Record<string, string>
}

/** Signs a request for an object of a connection, with its headers, valid for `seconds` (S3 Signature V4). */
export function signObject(
  deps: Pick<Deps, 'env'>,
  connection: StoredConnection,
  { method, key, headers = {} }: ObjectRequest,
  seconds: number,
): Promise<string> {
  const path = encodeKey(keyInBucket(connection.prefix, key))
  const url = new URL(`${connection.endpoint}/${connection.bucket}/${path}`)
  return signUrl(deps, connection, { method, url, headers }, seconds)
}

/** Signs a listing of at most one object in the folder of a connection. */
export function signListing(deps: Pick<Deps, 'env'>, connection: StoredConnection, seconds: number) {
  const url = new URL(`${connection.endpoint}/${connection.bucket}`)
  url.searchParams.set('list-type', '2')
  url.searchParams.set('max-keys', '1')
  if (connection.prefix !== '') url.searchParams.set('prefix', `${connection.prefix}/`)
  return signUrl(deps, connection, { method: 'GET', url, headers: {} }, seconds)
}

async function signUrl(
  deps: Pick<Deps, 'env'>,
  { accessKeyId, sealedSecret, region }: StoredConnection,
  { method, url, headers }: { method: string; url: URL; headers: Record<string, string> },
  seconds: number,
): Promise<string> {
  const secretAccessKey = openSecret(deps, sealedSecret)
  const signer = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region })
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const aws = { signQuery: true, allHeaders: true }
  return (await signer.sign(url, { method, headers, aws })).url
}
