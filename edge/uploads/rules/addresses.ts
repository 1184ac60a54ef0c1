import type { Dispatch } from '../../../shared/protocol/dispatch.ts'

/**
 * URLs and names of files. A URL is `{PUBLIC_URL}/files/{key}`. The key cannot be guessed, and knowing it is enough
 * to read the file. Keys are `uploads/{id}/{name}` and `results/{result_id}/{fence}/{name}`. Neither id is a job
 * id, because anyone who knows the id of an anonymous job can read and delete that job.
 */
const PREFIX = '/files/'
const OUR_KEYS = /^(uploads|results)\/./s
/** Maximum length of a storage key. */
const KEY_BYTES_MAX = 1024
const SAFE_NAME_LENGTH_MAX = 120
const EXTENSION_LENGTH_MAX = 12
const PLAIN_NAME_LENGTH_MAX = 255

export function addressOf(publicUrl: string, key: string): string {
  return publicUrl + PREFIX + key.split('/').map(encodeURIComponent).join('/')
}

/** Returns the storage key from a file URL of this service; null for any other URL. */
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

/** Counts UTF-8 bytes. Throws if the text contains a lone surrogate. */
export function countBytes(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length
}

/** Returns the result_id from the key of a result; null for the key of an upload. */
export function resultIdOf(key: string): string | null {
  const [kind, id] = key.split('/')
  return kind === 'results' && id ? id : null
}

/** Returns the display name of a file: a single line of at most 255 characters. */
export function plainName(filename: string): string {
  const line = filename
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return cut(line, PLAIN_NAME_LENGTH_MAX) || 'file'
}

/** Returns a file name that is safe in paths, headers and shell listings. Letters of every script are kept. */
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

/** Truncates text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end)
}

/** Returns the result ids of the results that a job reads. */
export function resultIdsOf({ source, assets }: Pick<Dispatch, 'source' | 'assets'>): string[] {
  return [source, ...Object.values(assets)].flatMap((file) =>
    file.kind === 'object' ? (resultIdOf(file.key) ?? []) : [],
  )
}

/** Returns the keys of the uploads that a job reads. */
export function uploadKeysOf({ source, assets }: Pick<Dispatch, 'source' | 'assets'>): string[] {
  return [source, ...Object.values(assets)].flatMap((file) =>
    file.kind === 'object' && resultIdOf(file.key) === null ? [file.key] : [],
  )
}
