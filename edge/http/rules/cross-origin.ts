/**
 * Access of pages of other origins to a response.
 * - any: pages of every origin; the response is the same for every caller, or its URL is the credential
 * - account: pages whose origin is on the list of the caller's account
 * - link: pages whose origin is on the list of the account that owns the upload link
 * - none: no page of another origin
 */
export type Sharing = 'any' | 'account' | 'link' | 'none'

/** A path ending with `/` stands for everything below it. The first match counts. */
const SHARED: readonly [path: string, Sharing][] = [
  ['/openapi.json', 'any'],
  ['/files/', 'any'],
  ['/api/v1/public/config', 'any'],
  ['/api/v1/public/pricing', 'any'],
  ['/api/v1/studio/tools', 'any'],
  ['/api/v1/studio/', 'account'],
  ['/api/v1/jobs', 'account'],
  ['/api/v1/jobs/', 'account'],
  ['/api/v1/uploads', 'account'],
  ['/api/v1/uploads/', 'account'],
  ['/api/v1/upload-links/', 'link'],
]

/** Returns the pages that can read the responses of a path. Contract: Conventions, Cross-origin requests. */
export function sharingOf(path: string): Sharing {
  const found = SHARED.find(([shared]) => (shared.endsWith('/') ? path.startsWith(shared) : path === shared))
  return found?.[1] ?? 'none'
}

/** Returns the token in the path of an upload link. */
export function linkTokenOf(path: string): string {
  return path.split('/')[4] ?? ''
}

/** Request headers that pages of other origins may send, besides those that browsers always allow. */
export const REQUEST_HEADERS = [
  'Authorization',
  'X-Api-Key',
  'X-Anonymous-Id',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'Range',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'traceparent',
]

/** Response headers that pages of other origins may read, besides those that browsers always show. */
export const RESPONSE_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Link',
  'Location',
  'WWW-Authenticate',
  'Idempotency-Replayed',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
]

/** Time for which browsers can cache the answer to a preflight. This is Chromium's maximum. */
export const PREFLIGHT_SECONDS = 7200
