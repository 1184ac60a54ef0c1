import type { Locale } from '../../shared/text/texts.ts'
import { clientSubject } from '../platform/http/rules/client-address.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'

/** The client that sent a request. */
export interface Client {
  /** Client address from the platform's header; null if the header is missing. */
  address: string | null
  /** Key under which the client's requests are counted. */
  subject: string
  locale: Locale
  /** As the client sent it; null if it sent none. */
  user_agent: string | null
}

/**
 * Reads the client address only from the platform's header: clients can forge all others, including
 * X-Forwarded-For.
 */
export function readClient(headers: Headers): Client {
  const address = headers.get('cf-connecting-ip')
  return {
    address,
    subject: clientSubject(address),
    locale: pickLocale(headers.get('accept-language')),
    user_agent: headers.get('user-agent'),
  }
}
