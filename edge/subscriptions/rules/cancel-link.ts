import type { Locale } from '../../platform/http/rules/locale.ts'

const LABELS: Record<Locale, string> = {
  en: 'Cancel renewal',
  uk: 'Скасувати поновлення',
  ru: 'Отменить продление',
}

/** The page that cancels a renewal without a sign-in. The token is behind the #, so that no log has it. */
export function cancelRenewalUrl(publicUrl: string, token: string, locale: Locale): string {
  return `${publicUrl}/billing/cancel-renewal?lang=${locale}#${token}`
}

/** The link of an email that leads there; none where the term has no token. */
export function cancelLink(url: string | null, locale: Locale): { label: string; url: string } | undefined {
  return url === null ? undefined : { label: LABELS[locale], url }
}
