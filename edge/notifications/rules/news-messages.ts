import type { Locale } from '../../../shared/text/texts.ts'

export interface NewsMessage {
  subject: string
  text: string
}

/** Product news by language. English is the fallback for languages that are missing. */
export type NewsMessages = { en: NewsMessage } & Partial<Record<Locale, NewsMessage | undefined>>
