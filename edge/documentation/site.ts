import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { DOCUMENTED_URL } from './documented-url.ts'

/** Pages run only their own scripts. The search compiles WebAssembly, and the style sheets embed icons. */
const POLICY = pagePolicy({
  'script-src': "'self' 'wasm-unsafe-eval'",
  'img-src': "'self' data:",
  'media-src': "'self'",
})

const IS_TEXT = /^text\/(html|markdown|plain)\b/

/**
 * Serves a file of the documentation site (docs/site) with the public URL of this service in its examples. For an
 * unknown address, browsers get a page, and other clients get the usual error.
 */
export async function answerSite(context: Context<AppEnv>, path?: string): Promise<Response> {
  const { raw } = context.req
  const { ASSETS, PUBLIC_URL } = context.get('deps').env
  const find = (address: string) => ASSETS.fetch(new Request(new URL(address, raw.url), raw))
  // Not the decoded path of the router: `new URL` would drop its control characters and spaces.
  const found = await find(path ?? new URL(raw.url).pathname)
  if (found.status !== 404) return present(found, PUBLIC_URL)
  if (!raw.headers.get('accept')?.includes('text/html')) throw new ApiError('not_found', {})
  return present(await find('/docs/404'), PUBLIC_URL, 404)
}

async function present(file: Response, url: string, status = file.status): Promise<Response> {
  const headers = new Headers(file.headers)
  headers.set('content-security-policy', POLICY)
  if (file.status !== 200 || !IS_TEXT.test(headers.get('content-type') ?? '')) {
    return new Response(file.body, { status, headers })
  }
  headers.delete('content-length')
  headers.set('etag', `W/${headers.get('etag')?.replace(/^W\//, '') ?? '""'}`)
  return new Response((await file.text()).replaceAll(DOCUMENTED_URL, url), { status, headers })
}
