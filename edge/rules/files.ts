/**
 * Addresses and names of files. A file's address is `{PUBLIC_URL}/files/{key}`; the key is unguessable,
 * and is all that a reader needs. Keys: `uploads/{id}/{name}` and `results/{job}/{fence}/{name}`.
 */
const PREFIX = '/files/'
const SAFE_NAME_LENGTH_MAX = 120

export function addressOf(publicUrl: string, key: string): string {
  return publicUrl + PREFIX + key.split('/').map(encodeURIComponent).join('/')
}

/** @returns the key of one of our own files; null for any other address. */
export function keyOf(publicUrl: string, address: string): string | null {
  if (!address.startsWith(publicUrl + PREFIX)) return null
  const [path = ''] = address.slice(publicUrl.length + PREFIX.length).split(/[?#]/)
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return null
  }
}

/** The job whose result a key belongs to; null for an upload. */
export function jobOf(key: string): string | null {
  const [kind, job] = key.split('/')
  return kind === 'results' && job ? job : null
}

/** A file name that is safe in a path, a header and a shell's listing; letters of any script stay. */
export function safeName(filename: string): string {
  const cleaned = filename
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '')
  const dot = cleaned.lastIndexOf('.')
  const extension = dot > 0 ? cleaned.slice(dot).slice(0, 12) : ''
  const stem = (dot > 0 ? cleaned.slice(0, dot) : cleaned).slice(0, SAFE_NAME_LENGTH_MAX - extension.length)
  return `${stem || 'file'}${extension}`
}
