import { clientSubject } from '../platform/http/rules/client-address.ts'
import { type Locale, pickLocale } from '../platform/http/rules/locale.ts'

/** Where a request comes from. */
export interface Client {
  /** From the platform's header; null if it is missing. */
  address: string | null
  /** Name under which requests are counted. */
  subject: string
  locale: Locale
}

/**
 * Reads the client address from the platform's header alone: clients can forge all others, including
 * X-Forwarded-For.
 */
export function readClient(headers: Headers): Client {
  const address = headers.get('cf-connecting-ip')
  return {
    address,
    subject: clientSubject(address),
    locale: pickLocale(headers.get('accept-language')),
  }
}
