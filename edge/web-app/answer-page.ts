import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { readCookie } from '../platform/http/cookies.ts'
import { pageLocale } from './page-locale.ts'
import { webAppPolicy } from './policy.ts'
import { isIndexed, isPagePath } from './rules/paths.ts'
import { setTheme } from './set-theme.ts'

/** Pages whose addresses contain secrets or order numbers. */
const SECRET_PAGES = /^\/(auth|billing|unsubscribe)\//
const NOT_PAGES = /^\/(api|internal|files|docs|app)(\/|$)/

/** Answers with the web application (web/) if the path is one of its pages. Returns null for other paths. */
export async function answerWebPage(context: Context<AppEnv>): Promise<Response | null> {
  const { method, path } = context.req
  const is_read = method === 'GET' || method === 'HEAD'
  if (!is_read || !isPagePath(path)) return null
  return path === '/' ? answerLanding(context) : answerDocument(context)
}

/**
 * Answers with the document that has the texts of the landing page in the visitor's language, with the navigation of a
 * signed-in user where one is signed in (dev/prerender.ts).
 */
async function answerLanding(context: Context<AppEnv>): Promise<Response> {
  const { raw, url } = context.req
  const locale = pageLocale(raw.headers, url)
  const is_member = readCookie(raw.headers, url, 'member', /1/) !== null
  const response = await answerDocument(context, 200, `/prerendered/${locale}${is_member ? '-member' : ''}`)
  response.headers.set('content-language', locale)
  response.headers.append('vary', 'Accept-Language')
  return response
}

/** Answers browsers with the page of the web application for unknown paths. Returns null for other clients. */
export async function answerUnknownPage(context: Context<AppEnv>): Promise<Response | null> {
  const { raw, method, path } = context.req
  if (method !== 'GET' || NOT_PAGES.test(path)) return null
  if (!raw.headers.get('accept')?.includes('text/html')) return null
  return answerDocument(context, 404)
}

/**
 * Answers with the document of the web application, whose script shows the page of the path.
 * @param file path of the document among the static files
 */
export async function answerDocument(
  context: Context<AppEnv>,
  status: 200 | 404 = 200,
  file = '/',
): Promise<Response> {
  const { env } = context.get('deps')
  const { path, raw, url } = context.req
  const found = await env.ASSETS.fetch(new URL(file, url))
  // Without its prerendered texts, the page renders itself.
  const document = found.ok ? found : await env.ASSETS.fetch(new URL('/', url))
  const response = setTheme(
    raw.headers,
    url,
    new Response(document.body, { status, headers: document.headers }),
  )
  response.headers.append('vary', 'Cookie')
  response.headers.set('content-security-policy', webAppPolicy(env))
  response.headers.set('cache-control', SECRET_PAGES.test(path) ? 'no-store' : 'no-cache')
  if (!isIndexed(path)) response.headers.set('x-robots-tag', 'noindex')
  return response
}
