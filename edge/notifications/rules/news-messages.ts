import type { Locale } from '../../platform/http/rules/locale.ts'

export interface NewsMessage {
  subject: string
  text: string
}

/** Product news by language. Subscribers whose language is missing get the English one. */
export type NewsMessages = { en: NewsMessage } & Partial<Record<Locale, NewsMessage | undefined>>
