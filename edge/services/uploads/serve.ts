import { jobQuery } from '../../db/jobs.ts'
import { uploadQuery } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import type { AccountCaller } from '../../rules/caller.ts'
import { jobOf, keyOf } from '../../rules/files.ts'
import { ApiError } from '../api-error.ts'

/** Streams a file to whoever holds its address. Ranges and conditions of the request are honoured. */
export async function serveFile(deps: Deps, key: string, request: Headers): Promise<Response> {
  return answerWith(await findObject(deps, key, request), 'inline', request)
}

/**
 * GET /uploads/download: streams one of the caller's own files as an attachment.
 * Throws 400 for an address that is not one of ours, 404 for a file of somebody else or one that is gone.
 */
export async function downloadFile(deps: Deps, caller: AccountCaller, url: string, request: Headers) {
  const key = keyOf(deps.env.PUBLIC_URL, url)
  if (key === null) throw new ApiError(400, 'invalid file URL: it is not an address of a file here')
  if (!(await ownsFile(deps, caller.account.id, key))) throw new ApiError(404, 'unknown file')
  return answerWith(await findObject(deps, key, request), 'attachment', request)
}

async function ownsFile({ db }: Deps, accountId: number, key: string): Promise<boolean> {
  const job = jobOf(key)
  const [owner] = job === null ? await uploadQuery(db, key) : await jobQuery(db, job)
  return owner !== undefined && owner.accountId === accountId
}

async function findObject(deps: Deps, key: string, request: Headers): Promise<R2ObjectBody | R2Object> {
  try {
    const object = await deps.storage.get(key, readableHeaders(request))
    if (object === null) throw new ApiError(404, 'unknown file')
    return object
  } catch (error) {
    if (error instanceof Error && /range/i.test(error.message) && !(error instanceof ApiError)) {
      throw new ApiError(416, 'the range lies outside the file')
    }
    throw error
  }
}

const ENTITY_TAGS = /^\s*(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)\s*$/

/** A condition that is none is passed over, as HTTP says; storage would take it for an error. */
function readableHeaders(request: Headers): Headers {
  const headers = new Headers(request)
  for (const name of ['if-match', 'if-none-match']) {
    if (!ENTITY_TAGS.test(headers.get(name) ?? '*')) headers.delete(name)
  }
  return headers
}

function answerWith(object: R2ObjectBody | R2Object, disposition: string, request: Headers): Response {
  // Of what storage keeps only the type: who uploads may not choose how the answer is cached or shown.
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
  const part = request.has('range') ? partOf(object) : null
  headers.set('content-length', String(part?.length ?? object.size))
  if (part !== null)
    headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`)
  return new Response(object.body, { status: part === null ? 200 : 206, headers })
}

/** Where the part that storage answered begins, and how long it is, in bytes. */
function partOf({ range, size }: R2Object): { offset: number; length: number } | null {
  if (range === undefined) return null
  if ('suffix' in range && range.suffix !== undefined) {
    const length = Math.min(range.suffix, size)
    return { offset: size - length, length }
  }
  const { offset = 0, length = size - offset } = range as { offset?: number; length?: number }
  return { offset, length }
}

/** RFC 6266: a plain name for old clients and the true one in UTF-8. */
function attachmentName(disposition: string, filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename)}`
}
