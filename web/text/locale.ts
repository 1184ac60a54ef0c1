import { signal } from '@preact/signals'
import { writeCookie } from './cookies.ts'
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
  const chosen = chosenLocale()
  if (chosen !== null) {
    // Browsers delete cookies earlier than stored values.
    writeCookie('language', chosen)
    return chosen
  }
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLocale) ?? 'en'
}

/** Returns the language that the user has chosen in this browser; null if none. */
export function chosenLocale(): Locale | null {
  const stored = readStored('language')
  return isLocale(stored) ? stored : null
}

export function chooseLocale(next: Locale): void {
  store('language', next)
  // The service renders the landing page in this language.
  writeCookie('language', next)
  locale.value = next
  // A reload would return to the language that the link names.
  const url = new URL(location.href)
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
}
