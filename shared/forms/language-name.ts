import type { Locale, Texts } from '../text/texts.ts'

const AUTO = { en: 'Detect automatically', uk: 'Визначати автоматично', ru: 'Определять автоматически' }

const NAMES: Record<Locale, Intl.DisplayNames> = {
  en: new Intl.DisplayNames(['en'], { type: 'language' }),
  uk: new Intl.DisplayNames(['uk'], { type: 'language' }),
  ru: new Intl.DisplayNames(['ru'], { type: 'language' }),
}

/** Languages whose names the Unicode data of workerd and Chromium lack. */
const RARE: Readonly<Record<string, Texts>> = {
  ba: { en: 'Bashkir', uk: 'Башкирська', ru: 'Башкирский' },
  bo: { en: 'Tibetan', uk: 'Тибетська', ru: 'Тибетский' },
}

/** Returns the name of a language, for example "German" for de. */
export function languageName(code: string, locale: Locale): string {
  if (code === 'auto') return AUTO[locale]
  const name = RARE[code]?.[locale] ?? NAMES[locale].of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
