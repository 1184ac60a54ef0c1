import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { pagePolicy } from '../platform/http/security-headers.ts'
import { pageLocale } from '../web-app/page-locale.ts'
import { setTheme } from '../web-app/set-theme.ts'
import { loadLegalTexts } from './load-texts.ts'
import { findCurrent, LEGAL_DOCUMENTS, pathOf } from './rules/documents.ts'

const PATH = new RegExp(
  `^/(?<document>${LEGAL_DOCUMENTS.join('|')})(?:/(?<version>[0-9a-f]+)(?<file>\\.md)?)?/?$`,
)

/**
 * Answers with a legal document: at its own path the current text, in the visitor's language; below it a version, which
 * stays available, as a page or as the Markdown file whose hash is recorded. Returns null for other paths.
 */
export async function answerLegalPage(context: Context<AppEnv>): Promise<Response | null> {
  const { method, path, raw, url } = context.req
  const { document: name, version, file } = PATH.exec(path)?.groups ?? {}
  const document = LEGAL_DOCUMENTS.find((each) => each === name)
  if (document === undefined || (method !== 'GET' && method !== 'HEAD')) return null
  const deps = context.get('deps')
  const texts = await loadLegalTexts(deps)
  const text =
    version === undefined
      ? findCurrent(texts, document, pageLocale(raw.headers, url))
      : texts.find((each) => each.document === document && each.version === version)
  if (text === undefined) return null
  const found = await deps.env.ASSETS.fetch(new URL(`/prerendered${pathOf(text)}${file ?? ''}`, url))
  const response = new Response(found.body, found)
  response.headers.set('content-language', text.locale)
  response.headers.set('cache-control', 'no-cache')
  if (version !== undefined) response.headers.set('x-robots-tag', 'noindex')
  if (file !== undefined) return response
  response.headers.set('content-security-policy', pagePolicy())
  response.headers.append('vary', 'Accept-Language, Cookie')
  return setTheme(raw.headers, url, response)
}
