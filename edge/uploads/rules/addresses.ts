import type { Dispatch } from '../../../shared/protocol/dispatch.ts'

/**
 * Addresses and names of files. A file's address is `{PUBLIC_URL}/files/{key}`; the key is unguessable,
 * and is all that a reader needs. Keys: `uploads/{id}/{name}` and `results/{result_id}/{fence}/{name}`.
 * Neither id tells the id of a job: that of an anonymous job is the permission to read and delete it.
 */
const PREFIX = '/files/'
const OUR_KEYS = /^(uploads|results)\/./s
/** Storage refuses longer ones. */
const KEY_BYTES_MAX = 1024
const SAFE_NAME_LENGTH_MAX = 120
const EXTENSION_LENGTH_MAX = 12
const PLAIN_NAME_LENGTH_MAX = 255

export function addressOf(publicUrl: string, key: string): string {
  return publicUrl + PREFIX + key.split('/').map(encodeURIComponent).join('/')
}

/** @returns the key of one of our own files; null for any other address. */
export function keyOf(publicUrl: string, address: string): string | null {
  if (!address.startsWith(publicUrl + PREFIX)) return null
  const [path = ''] = address.slice(publicUrl.length + PREFIX.length).split(/[?#]/)
  try {
    const key = path.split('/').map(decodeURIComponent).join('/')
    return OUR_KEYS.test(key) && countBytes(key) <= KEY_BYTES_MAX ? key : null
  } catch {
    return null
  }
}

/** In UTF-8. Throws for half a character. */
function countBytes(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length
}

/** The result_id in the key of a job's result; null for an upload. */
export function resultIdOf(key: string): string | null {
  const [kind, id] = key.split('/')
  return kind === 'results' && id ? id : null
}

/** The name a person knows a file by, as it is kept and shown: one line of at most 255 characters. */
export function plainName(filename: string): string {
  const line = filename
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return cut(line, PLAIN_NAME_LENGTH_MAX) || 'file'
}

/** A file name that is safe in a path, a header and a shell's listing; letters of any script stay. */
export function safeName(filename: string): string {
  const cleaned = filename
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '')
  const dot = cleaned.lastIndexOf('.')
  const extension = dot > 0 ? cut(cleaned.slice(dot), EXTENSION_LENGTH_MAX) : ''
  const stem = cut(dot > 0 ? cleaned.slice(0, dot) : cleaned, SAFE_NAME_LENGTH_MAX - extension.length)
  return `${stem || 'file'}${extension}`
}

/** Shortens a text, never through the middle of a letter that takes two code units. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end)
}

/** The result ids of the results among the files that a job reads. */
export function resultIdsOf({ source, assets }: Pick<Dispatch, 'source' | 'assets'>): string[] {
  return [source, ...Object.values(assets)].flatMap((file) =>
    file.kind === 'object' ? (resultIdOf(file.key) ?? []) : [],
  )
}

/** The uploads among the files that a job works on. */
export function uploadKeysOf({ source, assets }: Pick<Dispatch, 'source' | 'assets'>): string[] {
  return [source, ...Object.values(assets)].flatMap((file) =>
    file.kind === 'object' && resultIdOf(file.key) === null ? [file.key] : [],
  )
}
