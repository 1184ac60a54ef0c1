import type { Locale } from '../../../shared/text/texts.ts'
import type { Block } from '../../emails/rules/content.ts'
import { WORDS } from './words.ts'

/**
 * Returns the public URL of a receipt or credit note.
 * @param url public URL of the service
 */
export function receiptUrl(url: string, token: string): string {
  return `${url}/api/v1/billing/receipts/${token}`
}

/** Returns the link for an email, or an empty list if nothing was issued. */
export function receiptLink(
  kind: 'receipt' | 'credit_note',
  url: string | null | undefined,
  locale: Locale,
): Block[] {
  return url == null ? [] : [{ link: { label: WORDS[locale][kind], url } }]
}
