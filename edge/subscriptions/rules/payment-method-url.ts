import type { Locale } from '../../../shared/text/texts.ts'

/** Returns the URL of the page that leads to the provider's page for the payment method, after a sign-in. */
export function paymentMethodUrl(publicUrl: string, locale: Locale): string {
  return `${publicUrl}/billing/payment-method?lang=${locale}`
}
