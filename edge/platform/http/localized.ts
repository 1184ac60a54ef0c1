import type { Locale } from '../../../shared/text/texts.ts'

/** A response in one language, ready to send. */
export interface Localized {
  locale: Locale
  json: string
  /** Changes with the response and differs between languages. Weak, because compression changes the bytes. */
  etag: string
}
