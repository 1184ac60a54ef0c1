import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { isIndexed, isPagePath } from './rules/paths.ts'

const NOT_PAGES = /^\/(api|internal|files|docs|app)(\/|$)/

/** Answers with the web application (web/) if the path is one of its pages. Returns null for other paths. */
export async function answerWebPage(context: Context<AppEnv>): Promise<Response | null> {
  const { method, path } = context.req
  const is_read = method === 'GET' || method === 'HEAD'
  return is_read && isPagePath(path) ? serveDocument(context) : null
}

/** Answers browsers with the page of the web application for unknown paths. Returns null for other clients. */
export async function answerUnknownPage(context: Context<AppEnv>): Promise<Response | null> {
  const { raw, method, path } = context.req
  if (method !== 'GET' || NOT_PAGES.test(path)) return null
  if (!raw.headers.get('accept')?.includes('text/html')) return null
  const { body, headers } = await serveDocument(context)
  return new Response(body, { status: 404, headers })
}

async function serveDocument(context: Context<AppEnv>): Promise<Response> {
  const { ASSETS, S3_ENDPOINT } = context.get('deps').env
  const document = await ASSETS.fetch(new URL('/', context.req.url))
  const response = new Response(document.body, document)
  response.headers.set('content-security-policy', webAppPolicy(S3_ENDPOINT))
  response.headers.set('cache-control', 'no-cache')
  if (!isIndexed(context.req.path)) response.headers.set('x-robots-tag', 'noindex')
  return response
}

/** The pages upload to storage, and show files of the user before they are uploaded (blob:). */
function webAppPolicy(storage_endpoint: string): string {
  return pagePolicy({
    'connect-src': `'self' ${new URL(storage_endpoint).origin}`,
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob:",
  })
}
