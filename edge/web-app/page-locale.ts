import { LOCALES, type Locale } from '../../shared/text/texts.ts'
import { readCookie } from '../platform/http/cookies.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'

/**
 * Returns the language in which the web application will show a page, by its own rules (web/text/locale.ts): the one
 * that the URL names, that the user chose in this browser, or that the browser prefers.
 */
export function pageLocale(headers: Headers, url: string): Locale {
  const named = [new URL(url).searchParams.get('lang'), readCookie(headers, url, 'language', /[a-z]{2}/)]
  const chosen = named.map((name) => LOCALES.find((locale) => locale === name)).find(Boolean)
  return chosen ?? pickLocale(headers.get('accept-language'))
}
