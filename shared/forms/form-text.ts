import type { Locale, Texts } from '../text/texts.ts'

/**
 * A text of a form. A plain string is the same in every language, such as "MP3"; `uk_ru` is a word that Ukrainian and
 * Russian share.
 */
export type FormText = string | Texts | { en: string; uk_ru: string }

/** Translations of an English text that is declared elsewhere: at the operation, or at its parameter. */
export type Translations = Omit<Texts, 'en'> | { uk_ru: string }

/** Returns a text in one language. */
export function formText(locale: Locale, text: FormText): string {
  if (typeof text === 'string') return text
  if ('uk_ru' in text) return locale === 'en' ? text.en : text.uk_ru
  return text[locale]
}

/** Returns the translation of an English text, which may be the same in every language. */
export function translated(locale: Locale, english: string, translations: Translations | 'same'): string {
  return translations === 'same' ? english : formText(locale, { en: english, ...translations })
}
