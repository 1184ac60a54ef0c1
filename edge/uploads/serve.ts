import { type AccountCaller, type FileOwner, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { jobsByResultQuery } from '../jobs/queries.ts'
import { resultKeysOf } from '../jobs/view.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { placeRange, readRange } from '../platform/storage/rules/ranges.ts'
import { uploadQuery } from './queries.ts'
import { keyOf, resultIdOf } from './rules/addresses.ts'

/**
 * Streams a file to anyone who knows its URL. Supports ranges and conditional requests. Throws 404 for a deleted or
 * expired file.
 */
export async function serveFile(deps: Deps, key: string, request: Headers): Promise<Response> {
  if ((await findKeptFile(deps, key)) === null) throw unknownFile()
  return answerWith(await findObject(deps, key, request), 'inline', request)
}

/**
 * Streams one of the caller's files as an attachment. Throws 400 for a URL on another site, and 404 for a
 * cross-tenant, deleted or expired file.
 */
export async function downloadFile(deps: Deps, caller: AccountCaller, url: string, request: Headers) {
  const key = keyOf(deps.env.PUBLIC_URL, url)
  if (key === null) throw new ApiError('invalid_file_url', { param: 'url', reason: 'not_here' })
  const file = await findKeptFile(deps, key)
  if (file === null || !ownsFile(caller, file)) throw unknownFile()
  return answerWith(await findObject(deps, key, request), 'attachment', request)
}

/** The same error is used in all cases so that it reveals nothing about other accounts' files. */
export const unknownFile = () => new ApiError('file_not_found')

/**
 * Returns the database record of a file. Storage may still contain files that have expired or were deleted, and
 * files from superseded attempts.
 * @returns null for a file that must not be served.
 */
async function findKeptFile({ db, clock }: Deps, key: string): Promise<FileOwner | null> {
  const id = resultIdOf(key)
  const [file] =
    id === null
      ? await uploadQuery(db, key)
      : (await jobsByResultQuery(db, [id])).filter((job) => resultKeysOf(job).includes(key))
  return file !== undefined && (file.expiresAt ?? 0) > clock.now() ? file : null
}

interface FoundObject {
  object: R2ObjectBody | R2Object
  /** The returned range; null for the whole file. */
  part: { offset: number; length: number } | null
}

/** Reads a file from storage. Throws 404, and 416 with the file size for a range that is not satisfiable. */
async function findObject(deps: Deps, key: string, request: Headers): Promise<FoundObject> {
  const wanted = readRange(request.get('range'))
  const conditions = readableConditions(request)
  const object = await deps.storage.get(key, wanted, conditions)
  if (object === null) throw unknownFile()
  if (wanted === null) return { object, part: null }
  const condition = request.get('if-range')
  if (condition !== null && condition !== object.httpEtag) {
    const whole = await deps.storage.get(key, null, conditions)
    return { object: whole ?? object, part: null }
  }
  const part = placeRange(wanted, object.size)
  if (part !== null) return { object, part }
  const headers = { 'content-range': `bytes */${object.size}` }
  throw new ApiError('range_not_satisfiable', undefined, { headers })
}

const ENTITY_TAGS = /^\s*(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)\s*$/

const DATE_CONDITIONS = ['if-modified-since', 'if-unmodified-since']

/**
 * Drops invalid conditions, which HTTP ignores but storage rejects. Also drops date conditions, because responses
 * have no Last-Modified header (RFC 9110, 13.1.3).
 */
function readableConditions(request: Headers): Headers {
  const headers = new Headers(request)
  for (const name of DATE_CONDITIONS) headers.delete(name)
  for (const name of ['if-match', 'if-none-match']) {
    if (!ENTITY_TAGS.test(headers.get(name) ?? '*')) headers.delete(name)
  }
  return headers
}

function answerWith({ object, part }: FoundObject, disposition: string, request: Headers): Response {
  // Only the content type comes from storage; uploaders must not control caching or presentation.
  const headers = new Headers({
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    'content-disposition': attachmentName(disposition, object.key.split('/').at(-1) ?? 'file'),
    etag: object.httpEtag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  })
  if (!('body' in object))
    return new Response(null, { status: request.has('if-none-match') ? 304 : 412, headers })
  headers.set('content-length', String(part?.length ?? object.size))
  if (part !== null)
    headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`)
  return new Response(object.body, { status: part === null ? 200 : 206, headers })
}

/** Formats a Content-Disposition header with an ASCII name and a UTF-8 name (RFC 6266). */
function attachmentName(disposition: string, filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename)}`
}
