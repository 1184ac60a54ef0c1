import type { Locale } from '../text/texts.ts'

const AUTO = { en: 'Detect automatically', uk: 'Визначати автоматично', ru: 'Определять автоматически' }

const NAMES: Record<Locale, Intl.DisplayNames> = {
  en: new Intl.DisplayNames(['en'], { type: 'language' }),
  uk: new Intl.DisplayNames(['uk'], { type: 'language' }),
  ru: new Intl.DisplayNames(['ru'], { type: 'language' }),
}

/** Returns the name of a language, for example "German" for de. */
export function languageName(code: string, locale: Locale): string {
  if (code === 'auto') return AUTO[locale]
  const name = NAMES[locale].of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
