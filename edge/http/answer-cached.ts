import type { Localized } from '../platform/http/localized.ts'

/**
 * Answers with JSON in the caller's language, or with 304 if the caller has it. Contract: Catalog, Tools listing.
 * @param known the If-None-Match header of the request.
 */
export function answerCached(
  { json, etag }: Localized,
  known: string | null,
  fresh_seconds: number,
): Response {
  const headers = {
    ETag: etag,
    // Private, because the response contains one client's rate limit headers.
    'Cache-Control': `private, max-age=${fresh_seconds}`,
  }
  if (isKnown(etag, known)) return new Response(null, { status: 304, headers })
  return new Response(json, { headers: { ...headers, 'Content-Type': 'application/json' } })
}

/** Compares weakly (RFC 9110, 13.1.2): a cache may have dropped the prefix. */
function isKnown(etag: string, known: string | null): boolean {
  const tags = (known ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}
