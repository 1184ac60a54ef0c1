import type { Locale } from '../../../shared/text/texts.ts'
import type { Block } from '../../emails/rules/content.ts'

const LABELS: Record<Locale, string> = {
  en: 'Cancel renewal',
  uk: 'Скасувати поновлення',
  ru: 'Отменить продление',
}

/**
 * Returns the URL of the page that cancels a renewal without a sign-in. The token is in the fragment, which is
 * never logged.
 */
export function cancelRenewalUrl(publicUrl: string, token: string, locale: Locale): string {
  return `${publicUrl}/billing/cancel-renewal?lang=${locale}#${token}`
}

/** Returns the link for an email, or an empty list if the term has no token. */
export function cancelLink(url: string | null, locale: Locale): Block[] {
  return url === null ? [] : [{ link: { label: LABELS[locale], url } }]
}
