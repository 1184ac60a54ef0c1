import { countBytes } from '../../uploads/rules/addresses.ts'

/** Addresses and keys of objects in the storage of customers. Contract: Storage connections, Addresses. */
const SCHEME = 'storage://'
/** S3 limit for a complete key. */
const KEY_BYTES_MAX = 1024

export interface ObjectAddress {
  name: string
  key: string
}

/** Splits `storage://NAME/KEY`. The key is taken literally, as in `s3://` addresses. Returns null for other text. */
export function readAddress(address: string): ObjectAddress | null {
  const [, name = '', key = ''] = /^storage:\/\/([^/]*)\/(.*)$/s.exec(address) ?? []
  return name === '' || !isObjectKey(key) ? null : { name, key }
}

export function isStorageAddress(address: string): boolean {
  return address.startsWith(SCHEME)
}

export function addressOfObject({ name, key }: ObjectAddress): string {
  return `${SCHEME}${name}/${key}`
}

/** Checks that a key names an object and that no server can interpret it as a different path. */
export function isObjectKey(key: string): boolean {
  return key !== '' && !key.startsWith('/') && !key.endsWith('/') && isPlainPath(key)
}

/** Checks that a path has no control characters, no `.` or `..` segments and a length that S3 accepts. */
export function isPlainPath(path: string): boolean {
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return false
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return false
  return countBytes(path) <= KEY_BYTES_MAX
}

/** Removes the slashes around the folder of a connection. */
export function trimPrefix(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '')
}

/** Returns the key in the bucket for a key in the folder of the connection. */
export function keyInBucket(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`
}

/** Encodes a key for a URL whose signature S3 can verify. Also encodes the characters that encodeURIComponent keeps. */
export function encodeKey(key: string): string {
  const encode = (segment: string) =>
    encodeURIComponent(segment).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  return key.split('/').map(encode).join('/')
}
