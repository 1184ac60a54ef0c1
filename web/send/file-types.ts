/** Types of files that browsers do not recognize, by extension. */
const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ts: 'video/mp2t',
  '3gp': 'video/3gpp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
}

/** Returns the content type of a file. For types that the browser does not know, the extension decides. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const extension = name.toLowerCase().split('.').at(-1) ?? ''
  return type || TYPES[extension] || 'application/octet-stream'
}

/** Checks a content type against types such as "video/mp4", "video/*" or the type of any file. */
export function isAllowed(allowed: readonly string[], type: string): boolean {
  return allowed.some((pattern) => {
    if (pattern === '*/*') return true
    return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
  })
}

interface Bounds {
  allowed_mime_types: readonly string[]
  max_size_bytes: number
}

/** Returns why a link cannot accept a file, so that nobody uploads a file in vain. Null if it can. */
export function findFault(
  { allowed_mime_types, max_size_bytes }: Bounds,
  file: Pick<File, 'name' | 'type' | 'size'>,
): 'empty' | 'large' | 'type' | null {
  if (file.size === 0) return 'empty'
  if (file.size > max_size_bytes) return 'large'
  return isAllowed(allowed_mime_types, typeOf(file)) ? null : 'type'
}
