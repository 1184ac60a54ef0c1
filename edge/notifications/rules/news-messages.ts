import type { Locale } from '../../platform/http/rules/locale.ts'

export interface NewsMessage {
  subject: string
  text: string
}

/** Product news by language. English is the fallback for missing languages. */
export type NewsMessages = { en: NewsMessage } & Partial<Record<Locale, NewsMessage | undefined>>
