import { INPUT_FORMATS, isUnreadImage } from '../../../shared/images/input-formats.ts'
import { CONTENT_TYPES } from '../../../shared/planning/formats.ts'

/** Media types of files: which are accepted, and which are served. Contract: Uploads, Upload limits. */

/** Parameters of a media type, such as ";codecs=vp9,opus", which browsers add to the types of recordings. */
const PARAMETERS = '\\s*(;.*)?'
const NAME = '[\\w.+-]{1,63}'

/** A media type as clients declare it. */
export const DECLARED_TYPE = new RegExp(`^${NAME}/${NAME}${PARAMETERS}$`)
/** Like DECLARED_TYPE, or a pattern such as "video/*". */
export const DECLARED_TYPE_PATTERN = new RegExp(`^${NAME}/(\\*|${NAME})${PARAMETERS}$`)

/** Returns a media type in lowercase without its parameters. Only this form is signed and stored. */
export function bareType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

const SVG = 'image/svg+xml'

/** Formats of subtitles, which operations read as text. */
const SUBTITLES = '(x-)?(srt|subrip|ass|ssa|vtt|webvtt)'

/**
 * Types that some operation can read: media, subtitles, and the types of unknown content. The content itself is
 * checked after the upload.
 */
const READABLE_TYPE = new RegExp(
  `^((video|image|audio)/.+|text/(plain|${SUBTITLES})|application/(octet-stream|mp4|ogg|mxf|x-matroska|x-flv|vnd\\.ms-asf|${SUBTITLES})|binary/octet-stream)$`,
  'i',
)

/** The most common of these types, for messages. */
export const ACCEPTED_TYPES = [
  'video/*',
  'image/*',
  'audio/*',
  'text/vtt',
  'text/srt',
  'text/ass',
  'text/plain',
]

/** The same, where an image of a format that is not read is refused. */
export const ACCEPTED_IMAGES = [
  ...INPUT_FORMATS.map(({ types: [usual] }) => usual),
  ...ACCEPTED_TYPES.filter((type) => type !== 'image/*'),
]

/** Checks whether some operation can read files of a type, and no browser would execute them. */
export function isReadableType(type: string): boolean {
  return READABLE_TYPE.test(type) && !isActiveType(type) && !isUnreadImage(type)
}

/**
 * Checks for types that a browser would execute: pages, scripts, and documents that contain them. SVG is only saved by
 * browsers, because it is never served with its type, and drawn only without scripts.
 */
export function isActiveType(type: string): boolean {
  return /html|javascript|\+xml/i.test(type) && bareType(type) !== SVG
}

/** Types of uploads beside those of results. */
const UPLOADED_TYPES = [
  ...['video/3gpp', 'video/3gpp2', 'video/avi', 'video/mp2t', 'video/mpeg', 'video/msvideo', 'video/ogg'],
  ...['video/vnd.avi', 'video/x-flv', 'video/x-m4v', 'video/x-ms-asf', 'video/x-ms-wmv', 'video/x-msvideo'],
  ...['image/apng', 'image/bmp', 'image/heic-sequence', 'image/heif', 'image/heif-sequence', 'image/jp2'],
  ...['image/jpg', 'image/jxl', 'image/pjpeg', 'image/x-png'],
  ...['audio/3gpp', 'audio/aiff', 'audio/amr', 'audio/flac', 'audio/mp3', 'audio/opus', 'audio/vnd.wave'],
  ...['audio/wav', 'audio/wave', 'audio/webm', 'audio/x-aiff', 'audio/x-flac', 'audio/x-m4a'],
  ...['audio/x-matroska', 'audio/x-ms-wma', 'audio/x-wav'],
  ...['application/mp4', 'application/mxf', 'application/ogg', 'application/x-matroska'],
]

const SERVED_TYPES: ReadonlySet<string> = new Set([
  ...Object.values(CONTENT_TYPES).map(bareType),
  ...UPLOADED_TYPES,
])

/** Returns the type with which a stored file is served; null if browsers may only save the file. */
export function servedType(stored: string | undefined): string | null {
  return stored !== undefined && SERVED_TYPES.has(bareType(stored)) ? stored : null
}
