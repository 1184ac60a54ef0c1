import type { Refusal } from '../../platform/errors/rules/table.ts'
import { bareType, isActiveType } from '../../uploads/rules/media-types.ts'

/** The files that a link accepts. Contract: Upload links, Link refusals. */
export interface LinkBounds {
  /** For example "video/mp4" or "video/*". */
  allowed_mime_types: readonly string[]
  max_size_bytes: number
}

const MEDIA = ['video', 'image', 'audio']

/** Types that clients declare if they do not know a video's type; the first bytes determine it. */
const OPEN_TYPES = ['application/octet-stream', 'application/*', 'application/mp4', 'application/ogg']

/** Returns the first type that is not supported by an operation that accepts these kinds. */
export function findUnsupportedType(
  types: readonly string[],
  accepts: readonly string[],
): string | undefined {
  return types.find((type) => {
    const isSupported = accepts.includes(kindOf(type)) || OPEN_TYPES.includes(bareType(type))
    return !isSupported || isActiveType(type)
  })
}

/** Returns the default types of a link: all types that its operation supports. */
export function typesOf(accepts: readonly string[]): string[] {
  return accepts.map((kind) => `${kind}/*`)
}

export type FileRefusal = Refusal<'file_too_large' | 'file_type_not_allowed'>

/** Validates the declared properties of a file. */
export function judgeDeclared(
  { allowed_mime_types, max_size_bytes }: LinkBounds,
  { content_type, size_bytes }: { content_type: string; size_bytes: number },
): FileRefusal | null {
  if (size_bytes > max_size_bytes) return { code: 'file_too_large', facts: { bytes_max: max_size_bytes } }
  return isAllowed(allowed_mime_types, content_type) ? null : refuseType(allowed_mime_types, content_type)
}

/**
 * Validates a received file by its first bytes.
 * @param seen the detected type; null if it is unknown, in which case the fleet probes the file.
 */
export function judgeSeen(
  {
    allowed_mime_types: allowed,
    accepts,
  }: Pick<LinkBounds, 'allowed_mime_types'> & { accepts: readonly string[] },
  announced: string,
  seen: string | null,
): FileRefusal | null {
  if (seen === null) return null
  const type = bareType(seen)
  if (!accepts.includes(kindOf(type))) return refuseType(allowed, type)
  const isAsAnnounced = familyOf(type) === familyOf(announced) || !MEDIA.includes(kindOf(announced))
  return isAllowed(allowed, type) || isAsAnnounced ? null : refuseType(allowed, type)
}

const isAllowed = (allowed: readonly string[], type: string) =>
  allowed.some((pattern) => {
    const wanted = pattern.toLowerCase()
    return (
      wanted === '*/*' ||
      (wanted.endsWith('/*') ? kindOf(wanted) === kindOf(type) : wanted === bareType(type))
    )
  })

function refuseType(allowed: readonly string[], type: string): FileRefusal {
  return { code: 'file_type_not_allowed', facts: { content_type: bareType(type), allowed } }
}

/**
 * Equivalent types: old and new names, and formats that are often confused, such as QuickTime videos that phones
 * declare as MP4.
 */
const FAMILIES = [
  ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'],
  ['video/x-msvideo', 'video/vnd.avi', 'video/avi', 'video/msvideo'],
  ['video/mpeg', 'video/mp1s', 'video/mp2p', 'video/mp2t', 'video/x-mpeg', 'video/vnd.dlna.mpeg-tts'],
  ['video/x-ms-wmv', 'video/x-ms-asf'],
  ['video/x-flv', 'video/flv'],
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
]

function familyOf(type: string): string {
  const base = bareType(type)
  return FAMILIES.find((family) => family.includes(base))?.[0] ?? base
}

function kindOf(type: string): string {
  return bareType(type).split('/')[0] ?? ''
}
