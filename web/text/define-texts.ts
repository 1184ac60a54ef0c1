import { type Locale, locale } from './locale.ts'

/** A text, or a function that builds it from facts. */
type Text = string | ((...facts: never[]) => string)
type Translation<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Texts[Key] }

/**
 * Declares the texts of a component in every language. A missing text or language does not compile.
 * @returns a function that components call while they render: it returns the texts in the language of the page, and
 * the component renders again when the language changes
 */
export function defineTexts<Texts extends Record<string, Text>>(
  texts: { en: Texts } & Record<Exclude<Locale, 'en'>, Translation<Texts>>,
): () => Translation<Texts> {
  return () => texts[locale.value] as Translation<Texts>
}
