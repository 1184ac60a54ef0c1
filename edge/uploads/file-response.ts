import { encodeExtended } from 'content-disposition'
import { type ReadConditions, readRange } from '../platform/storage/rules/ranges.ts'
import type { FileRequest, FoundFile } from './find-file.ts'
import { servedType } from './rules/media-types.ts'

const ENTITY_TAGS = /^\s*(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)\s*$/

const CONDITIONS = ['if-match', 'if-none-match'] as const

/** Reads what a client wants of a file from its request headers. */
export function readFileRequest(headers: Headers): FileRequest {
  return {
    range: readRange(headers.get('range')),
    conditions: readConditions(headers),
    if_range: headers.get('if-range'),
  }
}

/**
 * Reads the conditions on entity tags. Drops invalid ones, which HTTP ignores but storage rejects. Date conditions
 * do not apply, because responses have no Last-Modified header (RFC 9110, 13.1.3).
 */
function readConditions(headers: Headers): ReadConditions {
  const values = CONDITIONS.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== null && ENTITY_TAGS.test(value)))
}

/** Answers with a file or a range of it, or with 304 or 412 if a condition is not met. */
export function answerFile(
  { object, part }: FoundFile,
  disposition: 'inline' | 'attachment',
  { conditions }: FileRequest,
): Response {
  // Only a known content type comes from storage; uploaders must not control caching or presentation.
  const type = servedType(object.httpMetadata?.contentType)
  const shown = type === null ? 'attachment' : disposition
  const headers = new Headers({
    'content-type': type ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    'content-disposition': formatDisposition(shown, object.key.split('/').at(-1) ?? 'file'),
    etag: object.httpEtag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  })
  if (!('body' in object)) {
    return new Response(null, { status: 'if-none-match' in conditions ? 304 : 412, headers })
  }
  headers.set('content-length', String(part?.length ?? object.size))
  if (part !== null) {
    headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`)
  }
  return new Response(object.body, { status: part === null ? 200 : 206, headers })
}

/** Formats a Content-Disposition header with an ASCII name and a UTF-8 name (RFC 6266, RFC 8187). */
function formatDisposition(disposition: string, filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${disposition}; filename="${plain}"; filename*=${encodeExtended(filename)}`
}
