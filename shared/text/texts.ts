/** Languages of errors, emails and pages. English is the default. */
export const LOCALES = ['en', 'uk', 'ru'] as const
export type Locale = (typeof LOCALES)[number]

/** One text in every language. */
export type Texts = Readonly<Record<Locale, string>>

/** One text in every language, each built from the same facts. */
export type TextsFrom<Facts> = Readonly<Record<Locale, (facts: Facts) => string>>

/** Infers the facts of all functions of a text from the first one, which declares their type. */
export function fromFacts<Facts>(texts: TextsFrom<Facts>): TextsFrom<Facts> {
  return texts
}

/** Writes a text in every language. */
export function writeTexts(write: (locale: Locale) => string): Texts {
  return { en: write('en'), uk: write('uk'), ru: write('ru') }
}

/** Returns a text in one language. A text that is a function is built from the facts. */
export function textIn(locale: Locale, texts: Texts | TextsFrom<never>, facts: unknown): string {
  const text: string | ((facts: never) => string) = texts[locale]
  return typeof text === 'string' ? text : text(facts as never)
}

/** Fills facts into a text in every language. */
export function fillTexts(texts: Texts | TextsFrom<never>, facts: unknown): Texts {
  return writeTexts((locale) => textIn(locale, texts, facts))
}

/** Control character that occurs neither in our texts nor in quoted values. */
const SEPARATOR = '\u001e'

/** Packs a text in every language into one string, because a zod issue has a single message. */
export function packTexts(texts: Texts): string {
  return LOCALES.map((locale) => texts[locale]).join(SEPARATOR)
}

/** A translation, up to the end of a JSON string: a ZodError's message is JSON. */
const TRANSLATION_IN_JSON = /\\u001e(?:[^"\\]|\\.)*/g

/** Removes the translations from the message of a ZodError, for logs. */
export function keepEnglish(json: string): string {
  return json.replace(TRANSLATION_IN_JSON, '')
}

/** Unpacks a message. Uses an unpacked message in every language. */
export function unpackTexts(message: string): Texts {
  const [en = '', uk = en, ru = en] = message.split(SEPARATOR)
  return { en, uk, ru }
}
