import type { Locale } from '../../../shared/text/texts.ts'

/** @param cents amount in the smallest unit of the currency, which for JPY and others is the currency itself. */
export function formatMoney(cents: number, currency: string, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(cents / 10 ** digits)
}

export function formatDate(time: number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** Formats a date and a time of day, both in UTC. */
export function formatMoment(time: number, locale: Locale): string {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' })
  return `${formatDate(time, locale)}, ${clock.format(time)}`
}

/** @param code ISO 3166-1 code */
export function formatCountry(code: string, locale: Locale): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
}
