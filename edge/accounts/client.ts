import { clientSubject } from '../platform/http/rules/client-address.ts'
import { type Locale, pickLocale } from '../platform/http/rules/locale.ts'

/** What a request says of where it comes from. */
export interface Client {
  /** As the platform tells it; null where it does not. */
  address: string | null
  /** The name its uses are counted under. */
  subject: string
  locale: Locale
}

/** Only the platform's own header counts: a client can write all others, X-Forwarded-For among them. */
export function readClient(headers: Headers): Client {
  const address = headers.get('cf-connecting-ip')
  return {
    address,
    subject: clientSubject(address),
    locale: pickLocale(headers.get('accept-language')),
  }
}
