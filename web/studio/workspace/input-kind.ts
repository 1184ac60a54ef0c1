import { INPUT_EXTENSIONS, isUnreadImage } from '../../../shared/images/input-formats.ts'

/** What an input is. Each tool accepts one or more kinds. */
export type InputKind = 'video' | 'image' | 'link'

/** Browsers know no type for these files, or call them something else. */
const KINDS_BY_EXTENSION: Record<string, InputKind> = Object.fromEntries([
  ...INPUT_EXTENSIONS.map((name) => [name, 'image']),
  ...['mkv', 'mts', 'm2ts', 'ts', 'flv', 'vob', 'mxf', '3gp', 'wmv', 'avi', 'mov'].map((name) => [
    name,
    'video',
  ]),
])

/** Returns the kind of a file by its type or, if the browser knows none, by its name. Returns null for other files. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): InputKind | null {
  if (type.startsWith('image/')) return isUnreadImage(type) ? null : 'image'
  if (type.startsWith('video/')) return 'video'
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return KINDS_BY_EXTENSION[extension] ?? null
}

/** Returns the link in a text, or null if it is no http or https URL. */
export function parseLink(text: string): string | null {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}
