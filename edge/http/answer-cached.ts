import type { SharedAnswer } from '../platform/http/shared-answer.ts'

/**
 * How long clients and caches use a response without asking, and how long they may show it while they ask again.
 * Administrators' changes reach every page within the sum. Contract: Public endpoints, Public config.
 */
const FRESH_SECONDS = 15
const STALE_SECONDS = 45

/**
 * Answers with JSON that caches may share, or with 304 if the caller has it. Contract: Catalog, Tools listing.
 * @param known the If-None-Match header of the request.
 */
export function answerCached({ json, etag }: SharedAnswer, known: string | null): Response {
  const headers = {
    ETag: etag,
    'Cache-Control': `public, max-age=${FRESH_SECONDS}, stale-while-revalidate=${STALE_SECONDS}`,
  }
  if (isKnown(etag, known)) return new Response(null, { status: 304, headers })
  return new Response(json, { headers: { ...headers, 'Content-Type': 'application/json' } })
}

/** Compares weakly (RFC 9110, 13.1.2): a cache may have dropped the prefix. */
function isKnown(etag: string, known: string | null): boolean {
  const tags = (known ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}
