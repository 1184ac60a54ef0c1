import { signal } from '@preact/signals'
import { readStored, store } from './stored.ts'

export const LOCALES = ['en', 'uk', 'ru'] as const
export type Locale = (typeof LOCALES)[number]

export const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', uk: 'Українська', ru: 'Русский' }

const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale)

/** Language of the page: the one that the user chose, otherwise the first known one of the browser. */
export const locale = signal<Locale>(initialLocale())

function initialLocale(): Locale {
  // Links in emails name the language of the account.
  const linked = new URLSearchParams(globalThis.location?.search).get('lang')
  if (isLocale(linked)) return linked
  const chosen = readStored('language')
  if (isLocale(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLocale) ?? 'en'
}

/** Must be the name that edge/web-app/page-locale.ts reads: with the prefix, no other host can set it. */
const COOKIE = globalThis.location?.protocol === 'https:' ? '__Host-language' : 'language'
const COOKIE_RIGHTS = `Path=/; Max-Age=31536000; SameSite=Lax${COOKIE.startsWith('__Host') ? '; Secure' : ''}`

export function chooseLocale(next: Locale): void {
  store('language', next)
  // The service renders the landing page in this language.
  // biome-ignore lint/suspicious/noDocumentCookie: pages without TLS have no Cookie Store API
  document.cookie = `${COOKIE}=${next}; ${COOKIE_RIGHTS}`
  locale.value = next
  // A reload would return to the language that the link names.
  const url = new URL(location.href)
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
}
