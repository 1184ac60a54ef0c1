/** Maps file extensions to the content types of results and uploads. */
export const CONTENT_TYPES = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  tif: 'image/tiff',
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<string, string>

export type Extension = keyof typeof CONTENT_TYPES

/** Format names that differ from their file extension. */
const FORMATS = { jpg: 'jpeg', tif: 'tiff' } as const
type Format = Exclude<Extension, keyof typeof FORMATS> | (typeof FORMATS)[keyof typeof FORMATS]

/** The formats of result files. */
export const RESULT_FORMATS = Object.keys(CONTENT_TYPES).map(formatOf) as Format[]

/** Returns the name of the format for a file extension. */
export function formatOf(extension: string): string {
  return Object.hasOwn(FORMATS, extension) ? FORMATS[extension as keyof typeof FORMATS] : extension
}

export function extensionOf(file: string): string {
  const dot = file.lastIndexOf('.')
  return dot < 0 ? '' : file.slice(dot + 1).toLowerCase()
}

export function contentTypeOf(file: string): string {
  const extension = extensionOf(file)
  return Object.hasOwn(CONTENT_TYPES, extension)
    ? CONTENT_TYPES[extension as Extension]
    : 'application/octet-stream'
}
