import type { Locale } from '../text/texts.ts'

const AUTO = { en: 'Detect automatically', uk: 'Визначати автоматично', ru: 'Определять автоматически' }

/** Returns the name of a language, for example "German" for de. */
export function languageName(code: string, locale: Locale): string {
  if (code === 'auto') return AUTO[locale]
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
